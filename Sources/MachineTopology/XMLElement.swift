/// One start tag.
struct XMLElement {
    let name: String
    let isEmpty: Bool
    private var attributes: [String: String] = [:]

    /// Reads what stands between `<` and `>`; nil where that isn't a name and `key="value"` pairs, no key twice.
    init?(_ text: ArraySlice<UInt8>) {
        isEmpty = text.last == UInt8(ascii: "/")
        var rest = isEmpty ? text.dropLast() : text
        let name = rest.prefix { !isBlank($0) }
        guard !name.isEmpty, name.allSatisfy(isNameByte) else { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        rest = rest[name.endIndex...].drop(while: isBlank)
        while !rest.isEmpty {
            guard let (key, value, after) = Self.attribute(rest), attributes[key] == nil else { return nil }
            attributes[key] = value
            rest = after.drop(while: isBlank)
            guard rest.isEmpty || rest.startIndex > after.startIndex else { return nil }
        }
    }

    subscript(key: String) -> String? { attributes[key] }

    /// The name of the first attribute whose name ends so and whose value isn't fit for it.
    func key(endingIn suffix: String, where isUnfit: (String) -> Bool) -> String? {
        attributes.first { $0.key.hasSuffix(suffix) && isUnfit($0.value) }?.key
    }

    private static func attribute(_ text: ArraySlice<UInt8>) -> (String, String, ArraySlice<UInt8>)? {
        let key = text.prefix(while: isNameByte)
        let rest = text[key.endIndex...]
        guard !key.isEmpty, rest.starts(with: "=\"".utf8) else { return nil }
        let value = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }
        guard value.endIndex < rest.endIndex else { return nil }
        return (
            String(decoding: key, as: UTF8.self), String(decoding: value, as: UTF8.self), rest[(value.endIndex + 1)...]
        )
    }
}

/// White space as XML has it, and the two that C adds.
func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
}

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"): true
    default: false
    }
}
