extension JSONValue {
    /// The value as compact JSON on one line, the members of objects in the order of their names.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let claim): text += claim ? "true" : "false"
        case .integer(let number): text += String(number)
        case .number(let number): text += number.isFinite ? String(number) : "null"
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements): Self.write(elements, to: &text)
        case .object(let members): Self.write(members, to: &text)
        }
    }

    private static func write(_ elements: [JSONValue], to text: inout String) {
        text += "["
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            element.write(to: &text)
        }
        text += "]"
    }

    private static func write(_ members: [String: JSONValue], to text: inout String) {
        text += "{"
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text += "," }
            write(member.key, to: &text)
            text += ":"
            member.value.write(to: &text)
        }
        text += "}"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\0"..<" ", "\u{7F}": text += "\\u00" + hexByte(UInt8(truncatingIfNeeded: scalar.value))
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func hexByte(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
