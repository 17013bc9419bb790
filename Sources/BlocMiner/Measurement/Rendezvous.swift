internal import Dispatch
internal import PoolTransport

/// Where threads wait for each other before each step, so that they measure at the same time.
final class Rendezvous: Sendable {
    private struct State {
        var sleepers: [DispatchSemaphore] = []
        var isCalledOff = false
    }

    private let count: Int
    private let state = Locked(State())

    /// A meeting of `count` threads.
    init(of count: Int) { self.count = count }

    /// Waits until all have arrived. False when it was called off.
    func arrive() -> Bool {
        let sleeper = DispatchSemaphore(value: 0)
        let released: [DispatchSemaphore] = state.withLock { state in
            state.sleepers.append(sleeper)
            guard state.isCalledOff || state.sleepers.count == count else { return [] }
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in released { sleeper.signal() }
        sleeper.wait()
        return state.withLock { !$0.isCalledOff }
    }

    /// Lets everyone go, now and from now on.
    func callOff() {
        let released = state.withLock { state in
            state.isCalledOff = true
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in released { sleeper.signal() }
    }
}
