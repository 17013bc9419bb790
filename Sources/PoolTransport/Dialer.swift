import Dispatch
import Glibc

/// Finds a pool and connects to the first of its addresses that answers.
///
/// Unchecked: `queue`, a serial one, confines everything after `init`.
final class Dialer: @unchecked Sendable {
    /// What dialling came to: a connected socket, or the reason in words.
    enum Outcome {
        case connected(Socket)
        case failed(reason: String)
    }

    private let address: PoolAddress
    private let deadline: DispatchTime
    private let resolver: NameLookup.Resolver
    private let queue: DispatchQueue
    private var finished: ((Outcome) -> Void)?
    private var remaining: ArraySlice<SocketAddress> = []
    private var failures: [String] = []
    private var attempt: (any DispatchSourceWrite)?
    private var attemptTimedOut = false
    private var timer: (any DispatchSourceTimer)?

    /// `finished` is called once, on `queue`, unless the dialler is cancelled before.
    init(
        _ address: PoolAddress,
        timeout: Duration,
        resolver: @escaping NameLookup.Resolver,
        queue: DispatchQueue,
        finished: @escaping (Outcome) -> Void
    ) {
        self.address = address
        deadline = .now() + timeout.dispatchInterval
        self.resolver = resolver
        self.queue = queue
        self.finished = finished
    }

    /// Looks the name up on a thread of its own, since that may block for long.
    func start() {
        arm(deadline) { $0.finish(.failed(reason: "timed out looking up the name")) }
        DispatchQueue(label: "pool name lookup").async { [self] in
            let result = resolver(address)
            queue.async { self.found(result) }
        }
    }

    /// No outcome any more. Idempotent.
    func cancel() {
        finished = nil
        timer?.cancel()
        timer = nil
        attempt?.cancel()
        attempt = nil
    }

    private func found(_ result: Result<[SocketAddress], NameLookupFailure>) {
        guard finished != nil else { return }
        switch result {
        case .success(let addresses):
            remaining = addresses[...]
            tryNext()
        case .failure(let failure): finish(.failed(reason: failure.reason))
        }
    }

    private func tryNext() {
        while let next = remaining.popFirst() {
            do throws(SystemError) {
                let socket = try Socket(family: next.family)
                try connect(socket, to: next)
                return
            } catch {
                note(error.words(peer: "pool"), next)
            }
        }
        finish(.failed(reason: failures.isEmpty ? "name not found" : failures.joined(separator: "; ")))
    }

    private func connect(_ socket: Socket, to next: SocketAddress) throws(SystemError) {
        if next.withPointer({ Glibc.connect(socket.descriptor, $0, $1) }) == 0 {
            return finish(.connected(socket))
        }
        guard errno == EINPROGRESS || errno == EINTR else { throw .last }
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { self.attempt?.cancel() }
        // The socket goes on, or is closed, only once the kernel no longer watches it for this source.
        source.setCancelHandler { self.attemptEnded(socket, next) }
        attempt = source
        attemptTimedOut = false
        arm(attemptDeadline) {
            $0.attemptTimedOut = true
            $0.attempt?.cancel()
        }
        source.activate()
    }

    /// An equal part of the time that is left, so that one dead address does not use it all.
    private var attemptDeadline: DispatchTime {
        let now = DispatchTime.now().uptimeNanoseconds
        let left = deadline.uptimeNanoseconds - min(now, deadline.uptimeNanoseconds)
        return DispatchTime(uptimeNanoseconds: now + left / UInt64(remaining.count + 1))
    }

    private func attemptEnded(_ socket: Socket, _ address: SocketAddress) {
        guard finished != nil else { return }
        attempt = nil
        if attemptTimedOut {
            note("timed out", address)
        } else if let error = socket.pendingError {
            note(error.words(peer: "pool"), address)
        } else {
            return finish(.connected(socket))
        }
        tryNext()
    }

    /// Keeps the first few failures, each with its address.
    private func note(_ words: String, _ address: SocketAddress) {
        if failures.count < 4 { failures.append("\(words) (\(address))") }
    }

    private func finish(_ outcome: Outcome) {
        guard let finished else { return }
        cancel()
        finished(outcome)
    }

    private func arm(_ deadline: DispatchTime, _ action: @escaping (Dialer) -> Void) {
        timer?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: deadline)
        timer.setEventHandler { action(self) }
        timer.activate()
        self.timer = timer
    }
}

extension Duration {
    /// The same span for Dispatch, rounded down to nanoseconds; centuries at most.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) else { return .seconds(Int(Int32.max)) }
        return .nanoseconds(Int(max(0, seconds)) * 1_000_000_000 + Int(max(0, attoseconds) / 1_000_000_000))
    }
}
