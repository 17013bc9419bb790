internal import BlocMiner
internal import Dispatch
internal import PoolTransport

/// Events that wait for the host's callback.
final class EventQueue: Sendable {
    private static let capacity = 4096

    private struct State {
        var records: [EventRecord] = []
        var isClosed = false
    }

    private let state = Locked(State())
    private let arrivals = DispatchSemaphore(value: 0)

    /// Adds `record`; where too many wait, the oldest goes that isn't a found share, else the oldest.
    func add(_ record: EventRecord) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.records.count == Self.capacity {
                state.records.remove(at: state.records.firstIndex { !$0.isFoundShare } ?? 0)
            }
            state.records.append(record)
        }
        arrivals.signal()
    }

    /// Drops what waits; `next` returns nil from now on.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.records = []
        }
        arrivals.signal()
    }

    /// Waits for the next record; nil once it is closed.
    func next() -> EventRecord? {
        while true {
            arrivals.wait()
            let (record, isClosed) = state.withLock { state in
                (state.records.isEmpty ? nil : state.records.removeFirst(), state.isClosed)
            }
            if record != nil || isClosed { return record }
        }
    }
}
