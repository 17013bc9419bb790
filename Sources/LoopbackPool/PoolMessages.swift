import MiningWork
import Stratum

/// A line from a miner, as dvandal's pool takes it.
enum MinerLine: Hashable {
    case request(id: JSONValue, method: String, params: JSONValue)
    /// Blank, or a request without a usable id, method or params: no answer at all.
    case ignored
    /// No JSON: the pool hangs up.
    case garbage

    init(_ line: [UInt8]) {
        guard line.contains(where: { $0 > UInt8(ascii: " ") }) else {
            self = .ignored
            return
        }
        guard let value = try? JSONValue(parsing: line) else {
            self = .garbage
            return
        }
        guard let id = value["id"], Self.isUsable(id), let method = value["method"]?.string,
            let params = value["params"], params.isObject
        else {
            self = .ignored
            return
        }
        self = .request(id: id, method: method, params: params)
    }

    private static func isUsable(_ id: JSONValue) -> Bool {
        ![.null, .bool(false), .integer(0), .number(0), .string("")].contains(id)
    }
}

/// What the pool writes.
enum PoolMessage {
    static func reply(to id: JSONValue, result: [String: JSONValue]) -> String {
        message(["id": id, "error": .null, "result": .object(result)])
    }

    static func refusal(of id: JSONValue, _ text: String) -> String {
        message(["id": id, "error": .object(["code": .integer(-1), "message": .string(text)])])
    }

    static func notification(job: [String: JSONValue]) -> String {
        message(["method": .string("job"), "params": .object(job)])
    }

    /// The target as pools write it: the top four bytes of the bound, little-endian, or eight where those are zero.
    static func target(_ difficulty: Difficulty) -> String {
        let threshold = Target(difficulty).threshold
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: threshold >> UInt64($0 * 8)) }
        return Hex.encode(threshold >> 32 == 0 ? bytes[...] : bytes[4...])
    }

    private static func message(_ members: [String: JSONValue]) -> String {
        JSONValue.object(members.merging(["jsonrpc": .string("2.0")]) { first, _ in first }).text
    }
}
