internal import CryptoNight
internal import LoopbackPool
public import MiningWork
internal import PoolTransport

/// A pool inside this process, on loopback, that checks every share: something to mine for without a pool.
public final class DemoPool: Sendable {
    private let algorithm: Algorithm
    private let pool: LoopbackPool

    /// A pool that serves jobs of `algorithm` in BLOC's format. Its difficulty soon gives a share every two seconds.
    public init(algorithm: Algorithm) throws(MinerError) {
        guard let variant = HashVariant(algorithm) else { throw .usage("there is no algorithm '\(algorithm.name)'") }
        // Little enough for a slow and busy machine; the pool soon adjusts it to the miner.
        guard let difficulty = Difficulty(UInt64(max(1, 1_000_000 / variant.iterations))) else {
            throw .failure("\(algorithm.name) has no difficulty to start with")
        }
        self.algorithm = algorithm
        var configuration = LoopbackPoolConfiguration(startDifficulty: difficulty, algorithm: algorithm)
        configuration.shareInterval = .seconds(2)
        configuration.blockInterval = .seconds(10)
        pool = LoopbackPool(configuration)
    }

    /// Starts listening on 127.0.0.1. Returns the configuration that mines for it.
    public func start() throws(MinerError) -> PoolConfiguration {
        do {
            let port = try pool.start()
            return PoolConfiguration(
                address: try PoolAddress(host: "127.0.0.1", port: port),
                user: "demo",
                algorithm: algorithm.name
            )
        } catch {
            throw .failure("the demo's pool cannot listen on 127.0.0.1: \(error)")
        }
    }

    /// Closes every connection and stops listening.
    public func stop() { pool.stop() }

    /// Shares that the pool hashed again and found right, and those that it refused.
    public var verdicts: (verified: Int, refused: Int) {
        let statistics = pool.statistics
        return (statistics.accepted, statistics.rejectedInAll)
    }
}
