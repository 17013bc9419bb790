internal import CryptoNight
internal import MachineTopology
internal import MiningWork

/// Measures the hashrate of one algorithm, offline, with the crew that mines.
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

        /// Measures `variant` for `seconds`, in at least `minimumSamples` samples.
        public init(
            variant: HashVariant,
            limits: HashingLimits = HashingLimits(),
            seconds: Double = 10,
            minimumSamples: Int = 10
        ) {
            self.variant = variant
            self.limits = limits
            self.seconds = max(0, seconds)
            self.minimumSamples = max(1, minimumSamples)
        }
    }

    /// What to measure.
    public let configuration: Configuration

    /// A benchmark as `configuration` says.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Warms up, measures and verifies. Tells `progress` the fraction done, from 0 to 1, about ten times a second.
    ///
    /// Ends with an error when the task is cancelled.
    public func run(progress: @Sendable (Double) -> Void = { _ in }) async throws(MinerError) -> HashrateReport {
        let log = BenchmarkLog()
        let workshop = try Workshop(limits: configuration.limits) { log.note($0) }
        let (shift, refusals) = try await workshop.prepare(configuration.variant, limits: configuration.limits)
        let assignment = try Assignment.synthetic(configuration.variant.algorithm)
        workshop.start(shift) { log.keep($0) }
        shift.crew.board.assign(assignment)
        let sampled: Result<HashrateSampler, MinerError>
        do throws(MinerError) {
            sampled = .success(try await sample(shift.crew, log: log, progress: progress))
        } catch {
            sampled = .failure(error)
        }
        await shift.crew.stop()
        let sampler = try sampled.get()
        for share in log.entries.shares { shift.verifier.check(share) }
        await shift.verifier.drained(by: .now + .seconds(60))
        return report(sampler, of: shift.crew, entries: log.entries, refusals: refusals)
    }

    /// Waits until every worker hashes, lets a second pass, then samples.
    private func sample(
        _ crew: WorkerCrew,
        log: BenchmarkLog,
        progress: @Sendable (Double) -> Void
    ) async throws(MinerError) -> HashrateSampler {
        let period = Duration.seconds(configuration.seconds / Double(configuration.minimumSamples))
        while !crew.counters.allSatisfy({ $0.reading.completed != nil }) { try await pause(log) }
        let warm = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < warm { try await pause(log) }
        var sampler = HashrateSampler(start: crew.counters.map(\.reading))
        var due = ContinuousClock.now + period
        while sampler.samples.count < configuration.minimumSamples {
            try await pause(log)
            if ContinuousClock.now >= due, sampler.take(crew.counters.map(\.reading)) { due = .now + period }
            let begun = max(0, 1 - ContinuousClock.now.duration(to: due) / max(period, .milliseconds(1)))
            progress((Double(sampler.samples.count) + min(1, begun)) / Double(configuration.minimumSamples))
        }
        progress(1)
        return sampler
    }

    private func pause(_ log: BenchmarkLog) async throws(MinerError) {
        do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .failure("the benchmark was cancelled") }
        if let failure = log.entries.failure { throw .failure(failure) }
    }

    private func report(
        _ sampler: HashrateSampler,
        of crew: WorkerCrew,
        entries: BenchmarkLog.Entries,
        refusals: [String]
    ) -> HashrateReport {
        HashrateReport(
            kernel: crew.kernel,
            plan: crew.plan,
            pages: PageBacking.sum(of: entries.pages) ?? PageBacking(kind: .ordinary, totalPages: 0, hugePages: 0),
            hashes: sampler.hashes,
            seconds: sampler.seconds,
            samples: sampler.samples,
            perThread: sampler.perThread,
            // Every worker compared its known answers before it was ready.
            isVerified: entries.pages.count == crew.plan.threads.count && entries.wrong == 0
                && entries.genuine == entries.shares.count,
            notes: refusals + entries.notes
        )
    }
}
