/// Mines for one pool until it is stopped.
public actor Miner {
    /// A miner as `configuration` says. Checks all that can be checked without a connection: the algorithm, the coin's
    /// address, the threads.
    public init(_ configuration: MinerConfiguration) throws(MinerError) {}

    /// Mines until `stop` is called, the task is cancelled or nothing is left to be tried. To be called once.
    public func run() async throws(MinerError) {}

    /// A fresh stream of all events from now on, for one listener. It ends when `run` does.
    public nonisolated func events() -> AsyncStream<MinerEvent> { AsyncStream { $0.finish() } }

    /// The figures at this moment.
    public var statistics: MinerStatistics { MinerStatistics() }

    /// Stops hashing until `resume`; the connection stays.
    public func pause() {}

    /// Goes on after `pause`.
    public func resume() {}

    /// Stops hashing at once, waits up to `grace` for the verdicts on shares that were found, then disconnects and lets
    /// `run` return.
    public func stop(grace: Duration = .seconds(2)) async {}
}
