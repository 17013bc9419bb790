import BlocMiner
import CryptoNight
import LoopbackPool
import MachineTopology
import MiningWork
import PoolTransport
import Testing

/// The quickest variant, so that a debug build finds shares in milliseconds.
func quickVariant() throws -> HashVariant { try #require(HashVariant(named: "cn/upx2")) }

/// A job of `variant`; `byte` tells its blob from others.
func job(
    of variant: HashVariant,
    id: String = "job",
    byte: UInt8 = 0,
    difficulty: UInt64 = 1 << 50,
    keepsHighNonceByte: Bool = false
) throws -> Job {
    var blob = [UInt8](repeating: 7, count: 76)
    blob[0] = byte
    blob.replaceSubrange(39..<43, with: [0, 0, 0, 0])
    return try Job(
        id: id,
        session: 1,
        blob: blob,
        target: Target(try #require(Difficulty(difficulty))),
        algorithm: variant.algorithm,
        height: 1_806_260,
        keepsHighNonceByte: keepsHighNonceByte
    )
}

/// A miner of `port` on loopback, with one thread unless told otherwise.
func configuration(port: UInt16, algorithm: String? = nil, threads: Int = 1, lanes: Int = 2) throws
    -> MinerConfiguration
{
    try configuration(ports: [port], algorithm: algorithm, threads: threads, lanes: lanes)
}

/// A miner of pools at `ports` on loopback, the best one first.
func configuration(ports: [UInt16], algorithm: String? = nil, threads: Int = 1, lanes: Int = 2) throws
    -> MinerConfiguration
{
    let pools = try ports.map { port in
        let address = try PoolAddress(host: "127.0.0.1", port: port)
        return PoolConfiguration(address: address, user: "wallet", algorithm: algorithm)
    }
    return MinerConfiguration(pools: pools, limits: HashingLimits(threads: threads, lanes: lanes))
}

/// Runs `miner` while `body` looks at its events, then stops it and waits for its end.
func withRunning<Outcome: Sendable>(
    _ miner: Miner,
    _ body: (AsyncStream<MinerEvent>) async throws -> Outcome
) async throws -> Outcome {
    let events = miner.events()
    let run = Task { try await miner.run() }
    let outcome = try await body(events)
    await miner.stop()
    try await run.value
    return outcome
}

extension AsyncStream<MinerEvent> {
    /// The first event of which `claim` makes something.
    func first<Found>(_ claim: (MinerEvent) -> Found?) async -> Found? {
        for await event in self {
            if let found = claim(event) { return found }
        }
        return nil
    }
}
