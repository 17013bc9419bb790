public import CryptoNight
public import MachineTopology
public import MiningWork

/// What a benchmark measured of one algorithm.
public struct HashrateReport: Sendable {
    /// The form of the kernels that ran.
    public let kernel: HashKernel
    /// The threads that ran it.
    public let plan: ThreadPlan
    /// The pages of all threads' scratchpads together.
    public let pages: PageBacking
    /// Hashes counted over all samples.
    public let hashes: UInt64
    /// Seconds over all samples, on a monotonic clock.
    public let seconds: Double
    /// Hashes per second of all threads together, one figure a sample, in order.
    public let samples: [Double]
    /// Hashes per second of each thread: the median over its samples.
    public let perThread: [Double]
    /// Whether a known answer came out right in the same run, on every thread.
    public let isVerified: Bool
}

/// Measures the hashrate of one algorithm, offline.
public struct HashrateBenchmark: Sendable {
    /// What to measure.
    public struct Configuration: Sendable {
        /// The algorithm.
        public var variant: HashVariant
        /// How the machine is used.
        public var limits: HashingLimits
        /// Least time to measure after the warm-up, in seconds.
        public var seconds: Double
        /// Least number of samples.
        public var minimumSamples: Int

        /// Measures `variant` for `seconds`.
        public init(
            variant: HashVariant,
            limits: HashingLimits = HashingLimits(),
            seconds: Double = 10,
            minimumSamples: Int = 10
        ) {
            self.variant = variant
            self.limits = limits
            self.seconds = seconds
            self.minimumSamples = minimumSamples
        }
    }

    /// What to measure.
    public let configuration: Configuration

    /// A benchmark as `configuration` says.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Warms up, measures and verifies. Tells `progress` the fraction done, from 0 to 1, about ten times a second.
    /// Ends early with an error when the task is cancelled.
    public func run(progress: @Sendable (Double) -> Void = { _ in }) async throws(MinerError) -> HashrateReport {
        throw .failure("not there")
    }
}
