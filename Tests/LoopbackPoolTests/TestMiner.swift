import MiningWork
import PoolTransport
import Stratum
import Testing

@testable import LoopbackPool

/// A stand-in for a hash: quick, and different for each blob.
func quickHash(_ blob: [UInt8]) -> Digest? {
    var seed: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in blob { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var generator = SeededGenerator(seed: seed)
    return Digest(bytes: generator.hashBytes())
}

let quickShareHash: ShareHash = { _, blob, _ in quickHash(blob) }

/// A job as the pool put it on the wire.
struct WireJob: Hashable {
    let id: String
    let session: String
    let blob: [UInt8]
    let target: String
    let algorithm: String?
    let height: UInt64?

    init(_ members: JSONValue?) throws {
        id = try #require(members?["job_id"]?.string)
        session = try #require(members?["id"]?.string)
        blob = try #require(members?["blob"]?.string.flatMap { Hex.decode($0) })
        target = try #require(members?["target"]?.string)
        algorithm = members?["algo"]?.string
        height = members?["height"]?.unsigned
    }

    func blob(with nonce: UInt32) -> [UInt8] {
        var blob = blob
        blob.replaceSubrange(39..<43, with: Nonce(nonce).bytes)
        return blob
    }

    /// The line that submits `nonce` with its hash, or with another claim.
    func submit(_ nonce: UInt32, claim: String? = nil, request: Int = 7) throws -> String {
        let result = try claim ?? #require(quickHash(blob(with: nonce))).hex
        return TestRequest.line(
            request,
            "submit",
            #""id":"\#(session)","job_id":"\#(id)","nonce":"\#(Nonce(nonce).hex)","result":"\#(result)""#
        )
    }

    /// The first nonce from `start` whose hash does, or does not, meet `difficulty`.
    func nonce(from start: UInt32 = 0, meeting difficulty: Difficulty, _ meets: Bool = true) throws -> UInt32 {
        let nonces = start..<start + 100_000
        return try #require(nonces.first { nonce in quickHash(blob(with: nonce)).map(difficulty.isMet(by:)) == meets })
    }
}

enum TestRequest {
    static func line(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"id":\#(id),"jsonrpc":"2.0","method":"\#(method)","params":{\#(params)}}"#
    }

    static let login = line(1, "login", #""login":"abLoc5wallet","pass":"x","agent":"test""#)
}

/// A miner's end of a connection to a pool.
final class TestMiner {
    let connection: Connection
    private var events: AsyncStream<ConnectionEvent>.AsyncIterator

    init(port: UInt16) throws {
        connection = Connection(to: try PoolAddress(host: "127.0.0.1", port: port))
        let (events, sink) = AsyncStream.makeStream(of: ConnectionEvent.self)
        self.events = events.makeAsyncIterator()
        connection.start { sink.yield($0) }
    }

    /// The next line; nil at the end.
    func line() async -> String? {
        while let event = await events.next(isolation: #isolation) {
            switch event {
            case .connected: continue
            case .line(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .closed: return nil
            }
        }
        return nil
    }

    func message() async throws -> JSONValue {
        try JSONValue(parsing: Array(#require(await line()).utf8))
    }

    func ask(_ line: String) async throws -> JSONValue {
        connection.send(line: line)
        return try await message()
    }
}

extension TestMiner {
    /// Sends a line and awaits the next one.
    func line(after sent: String) async throws -> String? {
        connection.send(line: sent)
        return await line()
    }
}

/// BLOC's algorithm; these tests replace the hash itself.
let blocAlgorithm = Algorithm(name: "cn-heavy/xhv", minimumBlobBytes: 43)
