/// Notices when a machine has changed so much that it should be tuned again. A value: its clock is the caller's.
struct TuningWatch: Sendable {
    private static let tolerance = 0.9
    private static let patience: Duration = .seconds(5 * 60)
    private static let leastInterval: Duration = .seconds(30 * 60)

    private var baseline: Double?
    private var tunedAt: Duration = .zero
    private var slowSince: Duration?

    /// Takes note that tuning ended at `now`, with this rate.
    mutating func tuned(hashesPerSecond: Double, at now: Duration) {
        baseline = hashesPerSecond
        tunedAt = now
        slowSince = nil
    }

    /// Takes note of the present rate, nil while nothing is hashed. True when it is time to tune again.
    mutating func isDue(hashesPerSecond: Double?, at now: Duration) -> Bool {
        guard let baseline, let hashesPerSecond, hashesPerSecond < baseline * Self.tolerance else {
            slowSince = nil
            return false
        }
        let since = slowSince ?? now
        slowSince = since
        return now - since >= Self.patience && now - tunedAt >= Self.leastInterval
    }
}
