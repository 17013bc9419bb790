/// What the user decides of a thread plan; whatever is nil follows from the machine.
public struct ThreadLimits: Sendable, Hashable {
    /// libdispatch lets its pool grow to 255 threads; a process needs a few besides its workers.
    public static let poolThreads = 240
    /// How many hashes one thread may compute in lock step.
    public static let laneRange = 1...64

    /// Exactly this many threads, even where the caches hold fewer scratchpads.
    public var threads: Int?
    /// One thread on each of these PUs, in this order; with `threads` too, on the first so many of them.
    public var affinity: PUList?
    /// Scratchpads that each thread works on at once; 1 where not given.
    public var lanes: Int?
    /// The most threads ever planned, 1 … 240.
    public let maximumThreads: Int

    /// Limits; `maximumThreads` is brought into 1 … 240.
    public init(
        threads: Int? = nil,
        affinity: PUList? = nil,
        lanes: Int? = nil,
        maximumThreads: Int = Self.poolThreads
    ) {
        self.threads = threads
        self.affinity = affinity
        self.lanes = lanes
        self.maximumThreads = min(max(maximumThreads, 1), Self.poolThreads)
    }
}
