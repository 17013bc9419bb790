internal import PoolTransport

/// Gives every listener a stream of its own. A listener that doesn't read loses the oldest events, not the miner's time.
final class EventHub: Sendable {
    private static let capacity = 4096

    private struct State {
        var listeners: [Int: AsyncStream<MinerEvent>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Locked(State())
    private let log: (@Sendable (LogLine) -> Void)?

    /// A hub that also tells `log`, in words.
    init(log: (@Sendable (LogLine) -> Void)? = nil) { self.log = log }

    func stream() -> AsyncStream<MinerEvent> {
        let (stream, listener) = AsyncStream.makeStream(
            of: MinerEvent.self,
            bufferingPolicy: .bufferingNewest(Self.capacity)
        )
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = listener
            return state.nextNumber
        }
        guard let number else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ event: MinerEvent) {
        for listener in listeners { listener.yield(event) }
        if let log { log(event.logLine) }
    }

    func finish() {
        let listeners = self.listeners
        state.withLock { $0.isFinished = true }
        for listener in listeners { listener.finish() }
    }

    // Copied out of the lock: a listener's termination handler takes it again.
    private var listeners: [AsyncStream<MinerEvent>.Continuation] { state.withLock { Array($0.listeners.values) } }
}
