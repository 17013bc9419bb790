internal import CryptoNight
internal import MachineTopology

/// What a benchmark measures before and after the hashrate, on the same threads.
struct BenchmarkSurroundings: Sendable {
    /// How long the sweeps are timed.
    private static let sweeping = Duration.seconds(0.5)

    private let configuration: HashrateBenchmark.Configuration
    private let plan: ThreadPlan

    init(_ configuration: HashrateBenchmark.Configuration, plan: ThreadPlan) {
        self.configuration = configuration
        self.plan = plan
    }

    /// The rate of random lines over what the main loop visits; nil where that isn't asked for.
    func lineRate() async throws(MinerError) -> LineRate? {
        guard case .ceiling = configuration.extent else { return nil }
        return try await ceiling().lineRate(
            lanes: plan.lanes,
            scratchpadBytes: configuration.variant.memoryBytes,
            visitedBytes: configuration.variant.demand.walkedBytes,
            turns: 1
        )
    }

    /// The sweeps of one hash; nil where they aren't asked for.
    func sweepSeconds(_ kernel: HashKernel) async throws(MinerError) -> Double? {
        if case .hashrate = configuration.extent { return nil }
        return try await StageProbe.sweepSeconds(
            kernel,
            crew: ProbeCrew(places: plan.threads),
            hugePages: configuration.limits.hugePages,
            lasting: Self.sweeping
        )
    }

    /// All limits; for the line rate, the better of `before` and of one more measurement. Nil where that isn't asked for.
    func limits(of kernel: HashKernel, before: LineRate?) async throws(MinerError) -> MeasuredLimits? {
        guard case .ceiling(let known) = configuration.extent, let before, let after = try await lineRate() else {
            return nil
        }
        let latencies = if let known { known } else { try await ceiling().latencies() }
        return MeasuredLimits(
            latencies: latencies,
            lineRate: before.combined(with: after),
            arithmetic: try await StageProbe.arithmetic(kernel, crew: ProbeCrew(places: plan.threads))
        )
    }

    private func ceiling() throws(MinerError) -> MemoryCeilingBenchmark {
        try MemoryCeilingBenchmark(plan: plan, hugePages: configuration.limits.hugePages)
    }
}
