internal import PoolTransport

/// What one worker has done so far.
final class WorkerCounter: Sendable {
    /// Hashes completed, and when the last of them were.
    struct Reading: Sendable {
        var hashes: UInt64 = 0
        var completed: ContinuousClock.Instant?
        /// How the last batch was hashed.
        var form: WorkForm?
    }

    private let state = Locked(Reading())

    /// Counts a batch that is complete now.
    func add(_ hashes: Int, in form: WorkForm) {
        state.withLock {
            $0.hashes += UInt64(hashes)
            $0.completed = .now
            $0.form = form
        }
    }

    var reading: Reading { state.withLock { $0 } }
}
