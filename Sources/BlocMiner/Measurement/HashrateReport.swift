public import CryptoNight
public import MachineTopology

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
    /// Seconds over all samples, on a monotonic clock: the mean over the threads.
    public let seconds: Double
    /// Hashes per second of all threads together, one figure a sample, in order.
    public let samples: [Double]
    /// Hashes per second of each thread: the median over its samples.
    public let perThread: [Double]
    /// Whether the known answers came out right on every thread's own scratchpads, and digests taken from the measured
    /// run itself were right too when another form of the kernels hashed their inputs again.
    public let isVerified: Bool
    /// What is to be known about the run, in words: paths that were refused, pinning that failed.
    public let notes: [String]

    /// Hashes per second of all threads: the middle, the least and the largest of the samples.
    public var hashesPerSecond: (median: Double, minimum: Double, maximum: Double) {
        (Median.of(samples), samples.min() ?? 0, samples.max() ?? 0)
    }
}

/// The middle of some numbers.
enum Median {
    /// The middle one, or the mean of the middle two; zero for none.
    static func of(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
    }
}
