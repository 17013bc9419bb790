public import CryptoNight
internal import MiningWork

/// Finds the fastest form of work for an algorithm without a pool, on work of its own.
public struct OfflineTuning: Sendable {
    private let variant: HashVariant
    private let limits: HashingLimits
    private let policy: TuningPolicy

    /// Tunes `variant` within `limits`, and keeps the result as `policy` says. Lanes in the limits narrow the search to
    /// those.
    public init(_ variant: HashVariant, limits: HashingLimits = HashingLimits(), policy: TuningPolicy = TuningPolicy())
    {
        self.variant = variant
        self.limits = limits
        self.policy = policy
    }

    /// Searches, for about a minute, telling `tried` of every trial. Returns the fastest form and its hashes per second.
    ///
    /// Ends with an error when the task is cancelled.
    public func run(
        tried: @escaping @Sendable (WorkForm, Double) -> Void = { _, _ in }
    ) async throws(MinerError) -> (form: WorkForm, hashesPerSecond: Double) {
        let log = BenchmarkLog()
        let workshop = try Workshop(limits: limits) { log.note($0) }
        let order = try workshop.order(for: variant, tuning: policy, isFresh: true)
        let (shift, _) = try await workshop.prepare(variant, limits: order.limits, firstForm: order.space?.first)
        let assignment = try Assignment.synthetic(variant.algorithm)
        workshop.start(shift) { log.keep($0) }
        await shift.crew.settled()
        shift.crew.board.assign(assignment)
        var best: (form: WorkForm, hashesPerSecond: Double)?
        if log.entries.failure == nil, let space = order.space {
            best = await Tuner(crew: shift.crew, space: space, tried: tried).run()
        }
        await shift.crew.stop()
        if let failure = log.entries.failure { throw .failure(failure) }
        guard let best else { throw .failure("tuning was cancelled") }
        try policy.cache?.keep(TuningResult(best.form, hashesPerSecond: best.hashesPerSecond), for: order.key)
        return best
    }
}
