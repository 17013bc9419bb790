// The grammar is FoundationEssentials' JSONDecoder's business. Three things it does not do are done here, over the raw
// bytes, before it sees them: it guesses UTF-16 from NUL bytes and skips a byte-order mark, both of which no Stratum
// peer sends; it nests up to 512 levels; and it takes some 20 µs for each value of a nested array, so that one line of
// 64 KiB could keep it busy for half a second. Numbers come out exactly: as an integer if one of 64 bits holds them.
import FoundationEssentials

/// Why bytes are not taken as JSON.
public enum JSONRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// They start with a byte-order mark.
    case byteOrderMark
    /// They hold a NUL byte.
    case nulByte
    /// They are not UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested deeper than allowed.
    case nestedTooDeeply(limit: Int)
    /// There are more values than allowed.
    case tooManyValues(limit: Int)
    /// The grammar is broken, or a number is beyond every type.
    case malformed

    /// The refusal in words.
    public var description: String {
        switch self {
        case .byteOrderMark: "it starts with a byte-order mark"
        case .nulByte: "it holds a NUL byte"
        case .invalidUTF8: "it is not UTF-8"
        case .nestedTooDeeply(let limit): "it is nested deeper than \(limit) levels"
        case .tooManyValues(let limit): "it holds more than \(limit) values"
        case .malformed: "it is not JSON"
        }
    }
}

extension JSONValue {
    /// Reads one JSON text. `maximumDepth` counts nested arrays and objects, `maximumValues` everything between commas.
    public init(parsing bytes: [UInt8], maximumDepth: Int = 16, maximumValues: Int = 4096) throws(JSONRefusal) {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        guard !bytes.contains(0) else { throw .nulByte }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .invalidUTF8 }
        try Self.checkShape(of: bytes, maximumDepth: maximumDepth, maximumValues: maximumValues)
        guard let decoded = try? JSONDecoder().decode(DecodedValue.self, from: Data(bytes)) else { throw .malformed }
        self = decoded.value
    }

    /// Walks over the brackets and commas outside strings. Broken texts may pass; the decoder refuses them.
    private static func checkShape(
        of bytes: [UInt8],
        maximumDepth: Int,
        maximumValues: Int
    ) throws(JSONRefusal) {
        var depth = 0
        var values = 1
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if !isEscaped && byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            guard depth <= maximumDepth else { throw .nestedTooDeeply(limit: maximumDepth) }
            guard values <= maximumValues else { throw .tooManyValues(limit: maximumValues) }
        }
    }
}

/// Asks the decoder what stands there, the likeliest types first.
private struct DecodedValue: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value =
            if container.decodeNil() {
                .null
            } else if let text = try? container.decode(String.self) {
                .string(text)
            } else if let number = try? container.decode(Int64.self) {
                .integer(Int128(number))
            } else if let number = try? container.decode(UInt64.self) {
                .integer(Int128(number))
            } else if let claim = try? container.decode(Bool.self) {
                .bool(claim)
            } else if let number = try? container.decode(Double.self) {
                .number(number)
            } else if let elements = try? container.decode([DecodedValue].self) {
                .array(elements.map(\.value))
            } else {
                .object(try container.decode([String: DecodedValue].self).mapValues(\.value))
            }
    }
}
