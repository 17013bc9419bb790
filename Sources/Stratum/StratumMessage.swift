/// The requests of this dialect.
enum StratumMethod: String, Sendable {
    case login, submit, getjob, keepalived
}

/// One request as a line of text.
struct StratumRequest: Sendable {
    let id: UInt64
    let method: StratumMethod
    let params: [String: JSONValue]

    /// The line, without a newline. `params` is always there: pools drop or even die of a request without it.
    var line: String {
        JSONValue.object([
            "id": .integer(Int128(id)),
            "jsonrpc": .string("2.0"),
            "method": .string(method.rawValue),
            "params": .object(params),
        ]).text
    }
}

/// What a reply says.
enum ReplyOutcome: Hashable, Sendable {
    /// No error. The result is null if the member is absent.
    case success(JSONValue)
    /// An error of any type.
    case failure(PoolRefusal)
}

/// Why a line is no message.
enum LineRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case notJSON(JSONRefusal)
    case notAnObject
    case notAMessage

    var description: String {
        switch self {
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .notJSON(let refusal): refusal.description
        case .notAnObject: "it is not a JSON object"
        case .notAMessage: "it is neither a reply nor a notification"
        }
    }
}

/// A line from the pool, understood as far as the framing goes.
enum IncomingMessage: Hashable, Sendable {
    /// The answer to the request `id`; nil if that member is no number.
    case reply(id: UInt64?, ReplyOutcome)
    /// Something the pool says by itself.
    case notification(method: String, params: JSONValue)

    /// The longest line taken from a pool, in bytes.
    static let maximumLineBytes = 65_536

    /// Reads a line without its newline. Errors are shown without `secrets`.
    init(line: [UInt8], secrets: LoginSecrets) throws(LineRefusal) {
        guard line.count <= Self.maximumLineBytes else { throw .tooLong(limit: Self.maximumLineBytes) }
        let value: JSONValue
        do { value = try JSONValue(parsing: line) } catch { throw .notJSON(error) }
        guard value.isObject else { throw .notAnObject }
        if let method = value["method"]?.string {
            self = .notification(method: method, params: value["params"] ?? .null)
        } else if let error = value["error"], error != .null {
            self = .reply(id: Self.requestID(value["id"]), .failure(PoolRefusal(error, secrets: secrets)))
        } else if value["id"] != nil || value["result"] != nil {
            self = .reply(id: Self.requestID(value["id"]), .success(value["result"] ?? .null))
        } else {
            throw .notAMessage
        }
    }

    /// Whether `line` is empty but for blanks and a carriage return.
    static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }

    /// Whether `line` starts like the answer of a web server.
    static func looksLikeHTTP(_ line: [UInt8]) -> Bool { line.starts(with: "HTTP/1.".utf8) }

    /// Some pools turn the id into a string of digits.
    private static func requestID(_ value: JSONValue?) -> UInt64? {
        switch value {
        case .string(let text) where text.utf8.allSatisfy { (0x30...0x39).contains($0) }: UInt64(text)
        default: value?.unsigned
        }
    }
}
