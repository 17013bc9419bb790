internal import CryptoNight
internal import Dispatch
internal import MiningWork
internal import Synchronization

/// A job as the workers see it.
final class Assignment: Sendable {
    let job: Job
    let nonces: NonceCounter
    private let isUsedUp = Atomic<Bool>(false)

    init(job: Job, nonces: NonceCounter) {
        self.job = job
        self.nonces = nonces
    }

    /// Whether its nonces have run out.
    var isExhausted: Bool { isUsedUp.load(ordering: .relaxed) }

    /// Notes that its nonces have run out. True for the first caller.
    func exhaust() -> Bool { !isUsedUp.exchange(true, ordering: .relaxed) }
}

/// Where workers find their work, and wait while there is none.
///
/// Every change advances the signal that kernel calls watch, so that hashing for an old assignment ends at once.
final class WorkBoard: Sendable {
    private struct State {
        var assignment: Assignment?
        var isHeld = false
        var isClosed = false
        var sleepers: [DispatchSemaphore] = []
        var stopwatch = Stopwatch()
    }

    private let signal = WorkSignal()
    private let state = Mutex(State())

    /// Replaces the assignment; nil: there is nothing to hash for now.
    func assign(_ assignment: Assignment?) {
        change { $0.assignment = assignment }
    }

    /// Stops hashing until it is called with false; the assignment stays.
    func hold(_ isHeld: Bool) {
        change { $0.isHeld = isHeld }
    }

    /// Ends every worker's loop.
    func close() {
        change { $0.isClosed = true }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Time with something to hash, so far.
    var hashingTime: Duration { state.withLock { $0.stopwatch.elapsed() } }

    /// A watch that ends when anything on the board changes.
    func watch() -> WorkWatch { WorkWatch(signal, count: signal.count) }

    /// Waits until there is something to hash; nil once the board is closed.
    func next(waitingOn sleeper: DispatchSemaphore) -> (Assignment, WorkWatch)? {
        while true {
            let found: (Assignment, WorkWatch)?? = state.withLock { state in
                if state.isClosed { return .some(nil) }
                if let assignment = state.assignment, !state.isHeld, !assignment.isExhausted {
                    return (assignment, WorkWatch(signal, count: signal.count))
                }
                state.sleepers.append(sleeper)
                return nil
            }
            if let found { return found }
            sleeper.wait()
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let sleepers = state.withLock { state in
            body(&state)
            signal.advance()
            state.stopwatch.run(state.assignment != nil && !state.isHeld && !state.isClosed)
            defer { state.sleepers.removeAll() }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.signal() }
    }
}

/// Adds up the time during which it runs, on a monotonic clock.
struct Stopwatch: Sendable {
    private var total: Duration = .zero
    private var since: ContinuousClock.Instant?

    /// Starts it, or stops it; no change if it already does.
    mutating func run(_ isRunning: Bool) {
        if let since { total += since.duration(to: .now) }
        since = isRunning ? .now : nil
    }

    func elapsed() -> Duration {
        guard let since else { return total }
        return total + since.duration(to: .now)
    }
}
