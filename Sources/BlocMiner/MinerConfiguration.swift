public import CryptoNight
public import MachineTopology
public import PoolTransport

/// A pool and how to log in to it.
public struct PoolConfiguration: Hashable, Sendable {
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
    /// How the pool proves itself, if its address says TLS.
    public var tls: TLSPolicy
    /// The proxy that connects to the pool; nil: none.
    public var proxy: ProxyAddress?

    /// A pool at `address`.
    public init(
        address: PoolAddress,
        user: String,
        password: String = "x",
        algorithm: String? = nil,
        rigID: String? = nil,
        isNiceHash: Bool = false,
        sendsKeepalive: Bool = true,
        tls: TLSPolicy = .systemAuthorities,
        proxy: ProxyAddress? = nil
    ) {
        self.address = address
        self.user = user
        self.password = password
        self.algorithm = algorithm
        self.rigID = rigID
        self.isNiceHash = isNiceHash
        self.sendsKeepalive = sendsKeepalive
        self.tls = tls
        self.proxy = proxy
    }
}

/// How the machine is used.
public struct HashingLimits: Hashable, Sendable {
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
    /// The pools to mine for, the best one first: the first that works is mined for. One at least, or there is a source.
    public var pools: [PoolConfiguration]
    /// Where work comes from in place of the pools.
    public var source: (any WorkSource)?
    /// The coin's name; nil: implied by the user string. "none" turns every coin rule off.
    public var coin: String?
    /// How the machine is used.
    public var limits: HashingLimits
    /// How the fastest form of work is found where the limits leave the lanes open.
    public var tuning: TuningPolicy
    /// What every event is told in words, on threads of the library; it has to return soon. `update` doesn't change it.
    public var log: (@Sendable (LogLine) -> Void)?
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

    /// A miner of what `source` delivers.
    public init(
        source: any WorkSource,
        limits: HashingLimits = HashingLimits(),
        tuning: TuningPolicy = TuningPolicy(isEnabled: false)
    ) {
        pools = []
        self.source = source
        self.limits = limits
        self.tuning = tuning
    }

    /// Whether a miner of this configuration can go on with the connection of one of `other`.
    func hasSameWork(as other: MinerConfiguration) -> Bool {
        pools == other.pools && source === other.source && coin == other.coin
    }

    /// Whether it hashes on the same threads in the same way.
    func hasSameCrew(as other: MinerConfiguration) -> Bool { limits == other.limits && tuning == other.tuning }
}
