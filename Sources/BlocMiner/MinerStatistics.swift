public import CryptoNight
public import MachineTopology

/// How many shares came to each end.
public struct ShareCounts: Hashable, Sendable {
    /// Taken by the pool.
    public var accepted = 0
    /// Refused by the pool.
    public var rejected = 0
    /// Dropped by us, or refused, as too old.
    public var stale = 0
    /// Failed our own check, not sent.
    public var invalid = 0

    /// None yet.
    public init() {}
}

/// Hashes per second over a window, and how much of the window has been measured.
public struct Hashrate: Hashable, Sendable {
    /// Hashes per second over `age`.
    public let hashesPerSecond: Double
    /// How far back the figure reaches: the window's length, or less while mining is younger than that.
    public let age: Duration

    /// So many hashes per second over `age`.
    public init(hashesPerSecond: Double, age: Duration) {
        self.hashesPerSecond = hashesPerSecond
        self.age = age
    }
}

/// Hashrates over the windows that a miner shows. Nil where nothing has been measured yet.
public struct HashrateWindows: Hashable, Sendable {
    /// Over the last 10 seconds.
    public var tenSeconds: Hashrate?
    /// Over the last minute.
    public var minute: Hashrate?
    /// Over the last quarter of an hour.
    public var quarterHour: Hashrate?
    /// The best full 10 seconds so far, in hashes per second.
    public var best: Double?

    /// Nothing measured.
    public init() {}
}

/// A miner's figures at one moment.
public struct MinerStatistics: Sendable {
    /// The kernels in use; nil before the first job of an unnamed algorithm.
    public var kernel: HashKernel?
    /// The threads in use.
    public var plan: ThreadPlan?
    /// The pages of all workers' scratchpads together; nil before they were touched.
    public var pages: PageBacking?
    /// Hashes that were completed.
    public var hashes: UInt64 = 0
    /// Time spent hashing, on a monotonic clock; pauses don't count.
    public var hashingTime: Duration = .zero
    /// Hashrates over the usual windows.
    public var hashrate = HashrateWindows()
    /// Shares by their ends.
    public var shares = ShareCounts()
    /// Shares that are being checked or wait for the pool's verdict.
    public var pendingShares = 0
    /// The pool that is mined for, or was last, as "host:port"; before there was one, the first pool.
    public var pool: String = ""
    /// Difficulty of the latest job; nil before the first.
    public var difficulty: UInt64?

    /// Nothing yet.
    public init() {}

    /// Hashes per second of hashing time; zero before the first hash.
    public var hashesPerSecond: Double {
        let seconds = hashingTime / .seconds(1)
        return seconds > 0 ? Double(hashes) / seconds : 0
    }
}
