public import CryptoNight
public import MachineTopology
public import PoolTransport

/// A pool and how to log in to it.
public struct PoolConfiguration: Sendable {
    /// Where it listens.
    public var address: PoolAddress
    /// Wallet address or user name, passed through unchanged. A secret: never logged in full.
    public var user: String
    /// What pools take as worker name or password. A secret.
    public var password: String
    /// The algorithm's name or alias, for jobs that don't name theirs; nil: the coin or the pool names it.
    public var algorithm: String?
    /// This machine's name at the pool; nil: none is sent.
    public var rigID: String?
    /// Whether byte 42 of every blob is kept, though the pool doesn't ask for it.
    public var isNiceHash: Bool
    /// Whether a keepalived is sent after a minute of silence.
    public var sendsKeepalive: Bool

    /// A pool at `address`.
    public init(
        address: PoolAddress,
        user: String,
        password: String = "x",
        algorithm: String? = nil,
        rigID: String? = nil,
        isNiceHash: Bool = false,
        sendsKeepalive: Bool = true
    ) {
        self.address = address
        self.user = user
        self.password = password
        self.algorithm = algorithm
        self.rigID = rigID
        self.isNiceHash = isNiceHash
        self.sendsKeepalive = sendsKeepalive
    }
}

/// How the machine is used.
public struct HashingLimits: Sendable {
    /// Worker threads; nil: as many as have room in the caches.
    public var threads: Int?
    /// The PUs to run on, one thread each; nil: chosen by topology.
    public var affinity: PUList?
    /// Hashes in flight on each thread; nil: chosen by the plan.
    public var lanes: Int?
    /// The path; nil: the best that this CPU runs and that passes its self-test.
    public var path: InstructionSet?
    /// Which pages are asked for.
    public var hugePages: HugePagePolicy
    /// Memory for all scratchpads while the fastest form is looked for; nil: a quarter of what is free then.
    public var memoryBytes: Int?

    /// No limits but those of the machine.
    public init(
        threads: Int? = nil,
        affinity: PUList? = nil,
        lanes: Int? = nil,
        path: InstructionSet? = nil,
        hugePages: HugePagePolicy = .prefer,
        memoryBytes: Int? = nil
    ) {
        self.threads = threads
        self.affinity = affinity
        self.lanes = lanes
        self.path = path
        self.hugePages = hugePages
        self.memoryBytes = memoryBytes
    }
}

/// Everything that a miner is told.
public struct MinerConfiguration: Sendable {
    /// The pools to mine for, the best one first: the first that works is mined for. One at least.
    public var pools: [PoolConfiguration]
    /// The coin's name; nil: implied by the user string. "none" turns every coin rule off.
    public var coin: String?
    /// How the machine is used.
    public var limits: HashingLimits
    /// How the fastest form of work is found where the limits leave the lanes open.
    public var tuning: TuningPolicy
    /// How long a better pool must have had work before it is mined for again.
    package var poolTrial: Duration = .seconds(60)

    /// A miner for the first of `pools` that works.
    public init(
        pools: [PoolConfiguration],
        coin: String? = nil,
        limits: HashingLimits = HashingLimits(),
        tuning: TuningPolicy = TuningPolicy(isEnabled: false)
    ) {
        self.pools = pools
        self.coin = coin
        self.limits = limits
        self.tuning = tuning
    }
}
