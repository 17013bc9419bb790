import Dispatch
import Glibc

/// Finds a host and connects to whichever of its addresses answers first.
///
/// The addresses are tried in the system's order, though with both families in turn. While one hasn't answered the next
/// is tried too, after a moment (RFC 8305).
///
/// Unchecked: `queue`, a serial one, confines everything after `init`.
final class Dialer: @unchecked Sendable {
    /// What dialling came to: a connected socket, or the reason in words.
    enum Outcome {
        case connected(Socket)
        case failed(reason: String)
    }

    /// Whom to dial and how long.
    struct Order {
        let address: PoolAddress
        /// What it is, in messages.
        let peer: String
        /// Where it was reached before; taken if its name can't be looked up.
        let lastReached: SocketAddress?
        let limits: ConnectionLimits
        let resolver: NameLookup.Resolver
    }

    private let order: Order
    private let deadline: DispatchTime
    private let queue: DispatchQueue
    private var finished: ((Outcome) -> Void)?
    private var isLookedUp = false
    private var waiting: ArraySlice<SocketAddress> = []
    private var attempts: [DialAttempt] = []
    private var failures: [String] = []
    private var deadlineTimer: (any DispatchSourceTimer)?
    private var stepTimer: (any DispatchSourceTimer)?

    /// `finished` is called once, on `queue`, unless the dialler is cancelled before.
    init(_ order: Order, queue: DispatchQueue, finished: @escaping (Outcome) -> Void) {
        self.order = order
        deadline = .now() + order.limits.connectTimeout.dispatchInterval
        self.queue = queue
        self.finished = finished
    }

    /// Looks the name up on a thread of its own, since that may block for long.
    func start() {
        deadlineTimer = timer(at: deadline) { $0.timedOut() }
        if order.lastReached != nil {
            let patience = DispatchTime.now() + order.limits.lookupTimeout.dispatchInterval
            stepTimer = timer(at: patience) { $0.found(.failure(.timedOut)) }
        }
        DispatchQueue(label: "name lookup").async { [self] in
            let result = order.resolver(order.address)
            queue.async { self.found(result) }
        }
    }

    /// No outcome any more. Idempotent.
    func cancel() {
        finished = nil
        deadlineTimer?.cancel()
        stepTimer?.cancel()
        (deadlineTimer, stepTimer) = (nil, nil)
        for attempt in attempts { attempt.cancel() }
        attempts = []
    }

    private func timer(at deadline: DispatchTime, _ action: @escaping (Dialer) -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: deadline)
        timer.setEventHandler { action(self) }
        timer.activate()
        return timer
    }
}

// The name.
extension Dialer {
    private func found(_ result: Result<[SocketAddress], NameLookupFailure>) {
        guard finished != nil, !isLookedUp else { return }
        isLookedUp = true
        switch result {
        case .success(let addresses) where !addresses.isEmpty: waiting = addresses.familiesInTurn[...]
        case .success: fallBack(because: .notFound)
        case .failure(let failure): fallBack(because: failure)
        }
        tryNext()
    }

    private func fallBack(because failure: NameLookupFailure) {
        failures = [failure.reason]
        waiting = order.lastReached.map { [$0] } ?? []
    }
}

// The addresses.
extension Dialer {
    /// Begins the next attempt, beside those that are under way.
    private func tryNext() {
        stepTimer?.cancel()
        stepTimer = nil
        while finished != nil, let next = waiting.popFirst() {
            guard begin(next) else { continue }
            guard finished != nil, !waiting.isEmpty else { return }
            stepTimer = timer(at: .now() + order.limits.attemptDelay.dispatchInterval) { $0.tryNext() }
            return
        }
        if attempts.isEmpty { finish(.failed(reason: failures.joined(separator: "; "))) }
    }

    /// Whether an attempt is under way, or has even succeeded.
    private func begin(_ address: SocketAddress) -> Bool {
        do throws(SystemError) {
            let socket = try Socket(family: address.family)
            guard address.withPointer({ Glibc.connect(socket.descriptor, $0, $1) }) != 0 else {
                finish(.connected(socket))
                return true
            }
            guard errno == EINPROGRESS || errno == EINTR else { throw .last }
            attempts.append(DialAttempt(socket, address, queue: queue) { self.ended($0, $1) })
            return true
        } catch {
            note(error, address)
            return false
        }
    }

    private func ended(_ attempt: DialAttempt, _ error: SystemError?) {
        guard finished != nil else { return }
        attempts.removeAll { $0 === attempt }
        guard let error else { return finish(.connected(attempt.socket)) }
        note(error, attempt.address)
        tryNext()
    }

    private func timedOut() {
        guard isLookedUp else { return finish(.failed(reason: NameLookupFailure.timedOut.reason)) }
        for attempt in attempts { note(SystemError(code: ETIMEDOUT), attempt.address) }
        finish(.failed(reason: failures.joined(separator: "; ")))
    }

    /// Keeps the first few failures, each with its address.
    private func note(_ error: SystemError, _ address: SocketAddress) {
        if failures.count < 4 { failures.append("\(error.words(peer: order.peer)) (\(address))") }
    }

    private func finish(_ outcome: Outcome) {
        guard let finished else { return }
        cancel()
        finished(outcome)
    }
}

/// One address that is being connected to. Used on one serial queue.
final class DialAttempt {
    let socket: Socket
    let address: SocketAddress
    private let source: any DispatchSourceWrite

    /// `ended` is called once with the error, or nil for a connected socket, unless the attempt is cancelled before.
    init(
        _ socket: Socket,
        _ address: SocketAddress,
        queue: DispatchQueue,
        ended: @escaping (DialAttempt, SystemError?) -> Void
    ) {
        self.socket = socket
        self.address = address
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
        self.source = source
        source.setEventHandler { source.cancel() }
        // The socket goes on, or is closed, only once the kernel no longer watches it for this source.
        source.setCancelHandler { [self] in ended(self, socket.pendingError) }
        source.activate()
    }

    func cancel() { source.cancel() }
}

extension [SocketAddress] {
    /// Both families in turn, the first address's first; within each the order as it was.
    var familiesInTurn: [SocketAddress] {
        let first = filter { $0.family == self.first?.family }
        let second = filter { $0.family != self.first?.family }
        let pairs = zip(first, second).flatMap { [$0, $1] }
        return pairs + first.dropFirst(second.count) + second.dropFirst(first.count)
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
