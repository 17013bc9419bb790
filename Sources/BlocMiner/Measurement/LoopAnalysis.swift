public import CryptoNight

/// What can bound a hashrate.
public enum HashrateBound: String, CaseIterable, Sendable {
    /// Each lane waits for its line, and there are too few lanes to hide it.
    case latency
    /// Memory delivers no more random lines.
    case lineRate
    /// AES rounds, those of the sweeps included.
    case aes
    /// Divisions, square roots included.
    case division

    /// In a sentence: "bound by …".
    public var words: String {
        switch self {
        case .latency: "memory latency"
        case .lineRate: "the rate of memory lines"
        case .aes: "AES"
        case .division: "division"
        }
    }
}

/// The machine's limits, measured in the same run as a hashrate.
public struct MeasuredLimits: Sendable, Hashable {
    /// Latencies of dependent loads.
    public let latencies: LatencyTable
    /// The rate of random lines over the same threads, lanes and scratchpads.
    public let lineRate: LineRate
    /// What the arithmetic costs.
    public let arithmetic: ArithmeticCosts

    /// Limits put together by hand.
    public init(latencies: LatencyTable, lineRate: LineRate, arithmetic: ArithmeticCosts) {
        self.latencies = latencies
        self.lineRate = lineRate
        self.arithmetic = arithmetic
    }

    /// Whether memory bore witness to all that was counted.
    public var isVerified: Bool { latencies.isVerified && lineRate.isVerified }
}

/// What a hashrate means for memory and CPU: pure arithmetic on measured figures.
public struct LoopAnalysis: Sendable, Hashable {
    /// What was measured.
    public struct Figures: Sendable, Hashable {
        /// What a hash asks for.
        public var demand: HashDemand
        /// Passes of the main loop for one hash.
        public var iterations: Int
        /// Worker threads.
        public var threads: Int
        /// Hashes in flight on each.
        public var lanes: Int
        /// Of all threads together.
        public var hashesPerSecond: Double
        /// Of the time-stamp counter; 0 where there is none.
        public var ticksPerSecond: Double
        /// All of a hash but its main loop, in seconds of its thread divided by its lanes; nil: not measured.
        public var sweepSeconds: Double?

        /// Figures put together by hand.
        public init(
            demand: HashDemand,
            iterations: Int,
            threads: Int,
            lanes: Int,
            hashesPerSecond: Double,
            ticksPerSecond: Double,
            sweepSeconds: Double?
        ) {
            self.demand = demand
            self.iterations = iterations
            self.threads = threads
            self.lanes = lanes
            self.hashesPerSecond = hashesPerSecond
            self.ticksPerSecond = ticksPerSecond
            self.sweepSeconds = sweepSeconds
        }
    }

    /// The part of the time that the main loop takes, 0 … 1; nil: not measured.
    public let mainShare: Double?
    /// Cache lines that the main loops of all threads access in a second of theirs; where the main loop's share wasn't
    /// measured, in a second of the whole.
    public let linesPerSecond: Double
    /// Ticks of the time-stamp counter for one iteration of one lane; nil without a counter.
    public let ticksPerIteration: Double?
    /// `linesPerSecond` as a part of what memory delivers, where that was measured.
    public let ceilingFraction: Double?
    /// For each limit that was measured, the part of the whole time that it alone would need.
    public let needs: [HashrateBound: Double]

    /// The limit that needs the greatest part; nil where none was measured.
    public var bound: HashrateBound? {
        HashrateBound.allCases.filter { needs[$0] != nil }.max { needs[$0, default: 0] < needs[$1, default: 0] }
    }

    /// Analyses `figures` in the light of `limits`, where those were measured.
    public init(_ figures: Figures, limits: MeasuredLimits? = nil) {
        let hashSeconds = Double(figures.threads) / figures.hashesPerSecond
        mainShare = figures.sweepSeconds.map { min(max(0, 1 - $0 / hashSeconds), 1) }
        let share = mainShare.flatMap { $0 > 0 ? $0 : nil } ?? 1
        let iterations = Double(figures.iterations)
        let accesses = iterations * Double(figures.demand.lineAccesses)
        linesPerSecond = figures.hashesPerSecond * accesses / share
        let ticks = figures.ticksPerSecond * hashSeconds * share / iterations
        ticksPerIteration = figures.ticksPerSecond > 0 ? ticks : nil
        ceilingFraction = limits?.lineRate.best.map { [linesPerSecond] in linesPerSecond / $0.linesPerSecond }
        needs = limits.map { Self.needs(figures, limits: $0).mapValues { $0 / hashSeconds } } ?? [:]
    }

    /// The seconds that each limit alone would need for one hash, of its thread and divided by its lanes.
    private static func needs(_ figures: Figures, limits: MeasuredLimits) -> [HashrateBound: Double] {
        let demand = figures.demand
        let iterations = Double(figures.iterations)
        let accesses = iterations * Double(demand.lineAccesses)
        var needs: [HashrateBound: Double] = [:]
        if let latency = limits.latencies.nanoseconds(over: figures.lanes * demand.walkedBytes) {
            needs[.latency] = accesses * latency / 1e9 / Double(figures.lanes)
        }
        if let best = limits.lineRate.best {
            needs[.lineRate] = accesses * Double(figures.threads) / best.linesPerSecond
        }
        if let aes = limits.arithmetic.aes {
            let loop = iterations * Double(demand.aesRounds) * aes.seconds(lanes: figures.lanes)
            needs[.aes] = loop + Double(demand.sweepRounds) * aes.throughput
        }
        if demand.division != nil, let division = limits.arithmetic.division {
            needs[.division] = iterations * division.seconds(lanes: figures.lanes)
        }
        return needs
    }
}
