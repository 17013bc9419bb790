public import MiningWork

/// A pool inside this process, on loopback, that checks every share: something to mine for without a pool.
public final class DemoPool: Sendable {
    /// A pool that serves jobs of `algorithm`, at a difficulty that gives a share about every two seconds.
    public init(algorithm: Algorithm) throws(MinerError) {}

    /// Starts listening on 127.0.0.1. Returns the configuration that mines for it.
    public func start() throws(MinerError) -> PoolConfiguration { throw .failure("not there") }

    /// Closes every connection and stops listening.
    public func stop() {}

    /// Shares that the pool hashed again and found right, and those that it refused.
    public var verdicts: (verified: Int, refused: Int) { (0, 0) }
}
