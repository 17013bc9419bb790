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
    /// The least and the largest sample of each thread.
    public let perThreadRanges: [ClosedRange<Double>]
    /// Whether the known answers came out right on every thread's own scratchpads, and digests taken from the measured
    /// run itself were right too when another form of the kernels hashed their inputs again.
    public let isVerified: Bool
    /// Ticks of the time-stamp counter in a second; 0 where there is none.
    public let ticksPerSecond: Double
    /// All of a hash but its main loop, in seconds of its thread divided by its lanes.
    public let sweepSeconds: Double?
    /// The machine's limits in the same run, where they were to be measured.
    public let limits: MeasuredLimits?
    /// What is to be known about the run, in words: paths that were refused, pinning that failed.
    public let notes: [String]
    /// What about the machine and the build bears on the figures.
    public let condition: MachineCondition

    /// Hashes per second of all threads: the middle, the least and the largest of the samples.
    public var hashesPerSecond: (median: Double, minimum: Double, maximum: Double) {
        (Median.of(samples), samples.min() ?? 0, samples.max() ?? 0)
    }

    /// The same, to be compared.
    public var rate: RateComparison.Rate {
        let rate = hashesPerSecond
        return RateComparison.Rate(median: rate.median, minimum: rate.minimum, maximum: rate.maximum)
    }

    /// What the hashrate means for memory and CPU.
    public var analysis: LoopAnalysis {
        let figures = LoopAnalysis.Figures(
            demand: kernel.variant.demand,
            iterations: kernel.variant.iterations,
            threads: plan.threads.count,
            lanes: kernel.lanes,
            hashesPerSecond: hashesPerSecond.median,
            ticksPerSecond: ticksPerSecond,
            sweepSeconds: sweepSeconds
        )
        return LoopAnalysis(figures, limits: limits)
    }

    /// One report of several of the same configuration: their samples together. Nil for none, or where kernels or thread
    /// counts differ.
    public static func merged(_ reports: [HashrateReport]) -> HashrateReport? {
        guard let first = reports.first, let last = reports.last,
            reports.allSatisfy({ $0.kernel == first.kernel && $0.perThread.count == first.perThread.count })
        else { return nil }
        let sweeps = reports.compactMap(\.sweepSeconds)
        return HashrateReport(
            kernel: first.kernel,
            plan: first.plan,
            pages: last.pages,
            hashes: reports.reduce(0) { $0 + $1.hashes },
            seconds: reports.reduce(0) { $0 + $1.seconds },
            samples: reports.flatMap(\.samples),
            perThread: first.perThread.indices.map { thread in Median.of(reports.map { $0.perThread[thread] }) },
            perThreadRanges: first.perThreadRanges.indices.map { thread in
                let ranges = reports.map { $0.perThreadRanges[thread] }
                return (ranges.map(\.lowerBound).min() ?? 0)...(ranges.map(\.upperBound).max() ?? 0)
            },
            isVerified: reports.allSatisfy(\.isVerified),
            ticksPerSecond: Median.of(reports.map(\.ticksPerSecond)),
            sweepSeconds: sweeps.isEmpty ? nil : Median.of(sweeps),
            limits: MeasuredLimits.merged(reports.compactMap(\.limits)),
            notes: unrepeated(reports.flatMap(\.notes)),
            condition: reports.dropFirst().reduce(first.condition) { $0.worse(with: $1.condition) }
        )
    }

    private static func unrepeated(_ lines: [String]) -> [String] {
        var seen: Set<String> = []
        return lines.filter { seen.insert($0).inserted }
    }
}

extension MeasuredLimits {
    /// Of limits measured at several times, those in whose run the best line rate was the middle one.
    static func merged(_ limits: [MeasuredLimits]) -> MeasuredLimits? {
        let ranked = limits.sorted { $0.lineRate.bestLinesPerSecond < $1.lineRate.bestLinesPerSecond }
        return ranked.isEmpty ? nil : ranked[ranked.count / 2]
    }
}

extension LineRate {
    fileprivate var bestLinesPerSecond: Double { best?.linesPerSecond ?? 0 }
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
