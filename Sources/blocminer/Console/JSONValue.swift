/// JSON whose members keep their order, as documented for each command.
enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    struct Member: Sendable, Hashable {
        let name: String
        let value: JSONValue
    }

    /// The value in one line.
    var line: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value.description
        case .integer(let value): value.description
        case .unsigned(let value): value.description
        case .number(let value): value.isFinite ? value.description : "null"
        case .text(let value): Self.quoted(value)
        case .array(let values): "[\(values.map(\.line).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(Self.quoted($0.name)):\($0.value.line)" }.joined(separator: ","))}"
        }
    }

    /// `text`, or null.
    static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

    /// `number`, or null.
    static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }

    /// `number`, or null.
    static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? .null }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0, value: $1) })
    }
}
