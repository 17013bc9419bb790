import Dispatch
import Glibc
import Synchronization

/// Why mining is to end.
enum StopReason: Sendable, Hashable {
    /// The user, or the system, asked for it.
    case signal
    /// The time that was asked for is over.
    case timeIsUp
    /// Nobody reads the output any more.
    case outputClosed
}

/// Where the wishes to stop arrive. The first one counts.
struct StopRequests: Sendable {
    private let stream: AsyncStream<StopReason>
    private let continuation: AsyncStream<StopReason>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Asks to stop.
    func request(_ reason: StopReason) { continuation.yield(reason) }

    /// There will be no wish any more that matters.
    func close() { continuation.finish() }

    /// Waits for the first wish; nil when there was none before `close`. For one caller.
    func first() async -> StopReason? {
        for await reason in stream { return reason }
        return nil
    }
}

/// Listens to signals while mining.
final class SignalWatch {
    private var sources: [any DispatchSourceSignal] = []
    private let queue = DispatchQueue(label: "blocminer.signals")

    /// SIGINT and SIGTERM call `stop`; a second one ends the process at once. SIGHUP calls `hangUp`, or `stop` where
    /// there is none, unless `nohup` told this process not to care.
    init(hangUp: (@Sendable () -> Void)? = nil, stop: @escaping @Sendable () -> Void) {
        let counter = SignalCounter()
        for number in [SIGINT, SIGTERM] {
            listen(to: number) {
                if counter.isRepeated() { _exit(128 + number) }
                stop()
            }
        }
        if let hangUp {
            listen(to: SIGHUP, hangUp)
        } else if !Self.isIgnored(SIGHUP) {
            listen(to: SIGHUP, stop)
        }
    }

    deinit { for source in sources { source.cancel() } }

    private func listen(to number: Int32, _ handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.resume()
        sources.append(source)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Tells a first signal from later ones.
private final class SignalCounter: Sendable {
    private let count = Atomic<Int>(0)

    func isRepeated() -> Bool { count.add(1, ordering: .relaxed).oldValue > 0 }
}
