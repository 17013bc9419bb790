internal import CryptoNight
internal import Dispatch
internal import MiningWork
internal import PoolTransport
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
    fileprivate struct State {
        var assignment: Assignment?
        var form: WorkForm
        var isSettled = false
        var isHeld = false
        var isClosed = false
        var interruptions = 0
        var sleepers: [DispatchSemaphore] = []
        var stopwatch = Stopwatch()
    }

    /// What a worker is to do until the watch ends or the form changes.
    struct Task: Sendable {
        let assignment: Assignment
        let form: WorkForm
        /// Whether the form is to stay: more memory than it needs can be given back.
        let isSettled: Bool
        let watch: WorkWatch
        fileprivate let formCount: UInt32
    }

    private let signal = WorkSignal()
    private let formCount = Atomic<UInt32>(0)
    private let state: Locked<State>

    /// A board without an assignment, for workers that hash as `form` says.
    init(form: WorkForm) { state = Locked(State(form: form)) }

    /// Replaces the assignment; nil: there is nothing to hash for now.
    func assign(_ assignment: Assignment?) {
        change { $0.assignment = assignment }
    }

    /// Stops hashing until it is called with false; the assignment stays.
    func hold(_ isHeld: Bool) {
        change { $0.isHeld = isHeld }
    }

    /// How the workers hash.
    var form: WorkForm { state.withLock { $0.form } }

    /// Changes how the workers hash. What is in flight is finished first, so that no hash is lost. `isSettled`: for good.
    func use(_ form: WorkForm, isSettled: Bool = false) {
        let sleepers = state.withLock { state in
            state.form = form
            state.isSettled = isSettled
            formCount.add(1, ordering: .releasing)
            return state.wakeSleepers()
        }
        for sleeper in sleepers { sleeper.signal() }
    }

    /// Whether workers still hash in the form of `task`.
    func isCurrentForm(of task: Task) -> Bool { formCount.load(ordering: .acquiring) == task.formCount }

    /// How often there was nothing to hash, or a hold.
    var interruptions: Int { state.withLock { $0.interruptions } }

    /// Ends every worker's loop.
    func close() {
        change { $0.isClosed = true }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Time with something to hash, so far.
    var hashingTime: Duration { state.withLock { $0.stopwatch.elapsed() } }

    /// A watch that ends when anything on the board changes.
    func watch() -> WorkWatch { WorkWatch(signal, count: signal.count) }

    /// Waits until there is something to hash for the worker of this number; nil once the board is closed.
    func next(for worker: Int, waitingOn sleeper: DispatchSemaphore) -> Task? {
        while true {
            let found: Task?? = state.withLock { state in
                if state.isClosed { return .some(nil) }
                if let assignment = state.assignment, state.hasWork, worker < state.form.threads {
                    return Task(
                        assignment: assignment,
                        form: state.form,
                        isSettled: state.isSettled,
                        watch: WorkWatch(signal, count: signal.count),
                        formCount: formCount.load(ordering: .acquiring)
                    )
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
            state.stopwatch.run(state.hasWork)
            if !state.hasWork { state.interruptions += 1 }
            return state.wakeSleepers()
        }
        for sleeper in sleepers { sleeper.signal() }
    }
}

extension WorkBoard.State {
    /// Whether there is something to hash.
    fileprivate var hasWork: Bool { assignment.map { !$0.isExhausted } ?? false && !isHeld && !isClosed }

    /// Those who waited for a change.
    fileprivate mutating func wakeSleepers() -> [DispatchSemaphore] {
        defer { sleepers.removeAll() }
        return sleepers
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
