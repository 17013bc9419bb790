public import MiningWork
public import PoolTransport

/// What a loopback pool serves.
public struct LoopbackPoolConfiguration: Sendable {
    /// How shares are hashed.
    public var algorithm: Algorithm
    /// What a miner's first job asks for.
    public var startDifficulty: Difficulty
    /// How often each connection should find a share: its difficulty follows. Nil leaves the difficulty alone.
    public var shareInterval: Duration? = .seconds(5)
    /// How often the chain grows by itself. Nil: only when told to.
    public var blockInterval: Duration? = .seconds(120)
    /// The height of the first jobs.
    public var height: UInt64 = 650_000
    /// What the login reply lists, besides "nicehash" where that is on.
    public var extensions: [String] = []
    /// Whether the highest nonce byte is the pool's.
    public var usesNiceHash = false
    /// Whether jobs name the algorithm; many old pools don't.
    public var namesAlgorithm = true
    /// Whether jobs name the height.
    public var namesHeight = true
    /// The port to open; 0 for any free one.
    public var port: UInt16 = 0
    /// The loopback address to listen on.
    public var family = LoopbackFamily.ipv4
    /// Makes ids and blobs the same in each run. Nil: they differ.
    public var seed: UInt64?

    /// A pool for `algorithm`.
    public init(startDifficulty: Difficulty, algorithm: Algorithm) {
        self.startDifficulty = startDifficulty
        self.algorithm = algorithm
    }
}
