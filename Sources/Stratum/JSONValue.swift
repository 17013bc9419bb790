/// Any JSON text as a value: what a Stratum peer says before it is understood.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without a fraction that fits into 64 bits, signed or not. `1.0` and `1e2` count as such.
    case integer(Int128)
    /// Any other number that a `Double` can hold.
    case number(Double)
    /// A string, its escapes resolved.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object. Of members with the same name the first one counts.
    case object([String: JSONValue])

    /// The member `name` of an object; nil for an absent one and for anything but an object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text of a string; nil for anything else.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of an integer from 0 to 2^64 - 1; nil for anything else.
    public var unsigned: UInt64? {
        if case .integer(let number) = self { UInt64(exactly: number) } else { nil }
    }

    /// The elements of an array; nil for anything else.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// Whether this is an object.
    public var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
