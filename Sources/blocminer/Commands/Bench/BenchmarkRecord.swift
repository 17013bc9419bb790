import BlocMiner

/// Where and with what a benchmark ran.
struct BenchmarkOrigin: Sendable, Hashable {
    let version: String
    let commit: String?
    let machine: String

    /// This binary on this machine.
    static var current: BenchmarkOrigin {
        let machine = try? TopologySnapshot.current()
        return BenchmarkOrigin(
            version: BlocMinerVersion.current,
            commit: BuildCommit.current,
            machine: machine?.name ?? "unknown"
        )
    }
}

/// What a benchmark found out about one algorithm, as it is exported.
struct BenchmarkRecord: Sendable {
    let algorithm: String
    let path: String
    let threads: Int
    let lanes: Int
    let pages: PageBacking
    let hashes: UInt64
    let seconds: Double
    let samples: [Double]
    let median: Double
    let minimum: Double
    let maximum: Double
    let perThread: [Double]
    let isVerified: Bool
    let origin: BenchmarkOrigin
    let date: WallTime
    /// The least and the largest sample of each thread.
    var perThreadRanges: [ClosedRange<Double>] = []
    /// What the rate means for memory and CPU.
    var analysis: LoopAnalysis? = nil
    /// The machine's limits, where they were measured.
    var limits: MeasuredLimits? = nil
    /// The rate beside that of an earlier run.
    var comparison: RateComparison? = nil

    /// How far the samples lie apart, as a part of the middle one.
    var spread: Double { median > 0 ? (maximum - minimum) / median : 0 }

    /// The rate, to be compared.
    var rate: RateComparison.Rate {
        RateComparison.Rate(median: median, minimum: minimum, maximum: maximum)
    }

    /// What a run is told apart by.
    var form: BenchmarkForm { BenchmarkForm(algorithm: algorithm, path: path, threads: threads, lanes: lanes) }
}

extension BenchmarkRecord {
    init(_ report: HashrateReport, origin: BenchmarkOrigin, date: WallTime) {
        let rate = report.hashesPerSecond
        self.init(
            algorithm: report.kernel.variant.name,
            path: report.kernel.path.name,
            threads: report.plan.threads.count,
            lanes: report.kernel.lanes,
            pages: report.pages,
            hashes: report.hashes,
            seconds: report.seconds,
            samples: report.samples,
            median: rate.median,
            minimum: rate.minimum,
            maximum: rate.maximum,
            perThread: report.perThread,
            isVerified: report.isVerified,
            origin: origin,
            date: date,
            perThreadRanges: report.perThreadRanges,
            analysis: report.analysis,
            limits: report.limits
        )
    }
}
