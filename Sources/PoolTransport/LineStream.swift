import Dispatch
import Glibc
import Synchronization

/// The inside of a connection: dials, reads, frames and writes.
///
/// Unchecked: apart from `outbox` and the two flags, `queue`, a serial one, confines everything after `init`.
final class LineStream: @unchecked Sendable {
    /// Where the socket comes from.
    enum Origin {
        case dial(PoolRoute, NameLookup.Resolver)
        case accepted(Socket)

        /// What the other side is, in messages.
        var peer: String {
            switch self {
            case .dial: "pool"
            case .accepted: "miner"
            }
        }

        var route: PoolRoute? {
            if case .dial(let route, _) = self { route } else { nil }
        }
    }

    private enum Phase {
        case idle(Origin)
        case dialling(Dialer)
        case open(Socket)
        /// The socket closes once its last source is cancelled.
        case ending(Socket?, reason: String)
        case ended
    }

    private let queue: DispatchQueue
    private let limits: ConnectionLimits
    private let peer: String
    /// Where it leads, if it was dialled.
    private let route: PoolRoute?
    private let outbox: Locked<Outbox>
    /// Set by everything that closes: no line is delivered any more.
    private let isClosing = Atomic(false)
    /// Set by `cancel`: nothing is delivered any more.
    private let isSilent = Atomic(false)

    private var phase: Phase
    private var onEvent: (@Sendable (ConnectionEvent) -> Void)?
    private var layer: any ByteLayer
    private var framer: LineFramer
    private var wire = ByteQueue()
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var greetingTimer: (any DispatchSourceTimer)?
    private var flushTimer: (any DispatchSourceTimer)?
    private var liveSources = 0
    private var isConnected = false
    private var closesWhenFlushed = false
    private var isWritingBroken = false

    init(_ origin: Origin, limits: ConnectionLimits, target: DispatchQueue?) {
        queue = DispatchQueue(label: "\(origin.peer) connection", target: target)
        self.limits = limits
        peer = origin.peer
        route = origin.route
        layer = origin.route?.layer ?? PlainLayer()
        outbox = Locked(Outbox(limit: limits.queuedBytes))
        framer = LineFramer(limit: limits.lineBytes)
        phase = .idle(origin)
    }
}

// What the owner asks for, on any thread.
extension LineStream {
    func start(_ onEvent: @escaping @Sendable (ConnectionEvent) -> Void) {
        queue.async { self.begin(onEvent) }
    }

    func send(_ bytes: [UInt8]) {
        switch outbox.withLock({ $0.append(bytes) }) {
        case .first: queue.async { self.flush() }
        case .queued, .dropped: break
        case .overflowed:
            queue.async { self.end(self.deafness) }
        }
    }

    func close(byReset: Bool = false) {
        isClosing.store(true, ordering: .releasing)
        queue.async { self.end("closed by this side", byReset: byReset) }
    }

    func closeAfterFlush() {
        isClosing.store(true, ordering: .releasing)
        outbox.withLock { $0.shut(dropping: false) }
        queue.async { self.beginFlush() }
    }

    func cancel() {
        isSilent.store(true, ordering: .releasing)
        close()
    }
}

// Beginnings.
extension LineStream {
    private func begin(_ onEvent: @escaping @Sendable (ConnectionEvent) -> Void) {
        guard case .idle(let origin) = phase else { return }
        self.onEvent = onEvent
        switch origin {
        case .accepted(let socket): open(socket)
        case .dial(let route, let resolver): dial(route, resolver)
        }
    }

    private func dial(_ route: PoolRoute, _ resolver: @escaping NameLookup.Resolver) {
        let order = Dialer.Order(
            address: route.firstStop,
            peer: route.firstStopName,
            lastReached: route.lastReached,
            limits: limits,
            resolver: resolver
        )
        let dialer = Dialer(order, queue: queue) { outcome in
            switch outcome {
            case .connected(let socket): self.open(socket)
            case .failed(let reason): self.end(route.proxy == nil ? reason : "the proxy can't be reached: \(reason)")
            }
        }
        phase = .dialling(dialer)
        dialer.start()
    }

    private func open(_ socket: Socket) {
        phase = .open(socket)
        socket.setStreamOptions()
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { self.readable() }
        adopt(source)
        readSource = source
        passOn { $0.connected() }
        if !isConnected, case .open = phase {
            greetingTimer = timer(after: limits.greetingTimeout) { $0.lost("timed out") }
        }
    }
}

// Both directions.
extension LineStream {
    private func readable() {
        guard case .open(let socket) = phase else { return }
        switch socket.read() {
        case .bytes(let bytes):
            if !closesWhenFlushed { passOn { $0.received(bytes) } }
        case .endOfStream: closesWhenFlushed ? end("closed by this side") : lost("closed by the \(speaker)")
        case .nothingYet: break
        case .failed(let error): lost(error.words(peer: speaker))
        }
    }

    private var deafness: String { "the \(peer) does not read: more than \(limits.queuedBytes) bytes wait" }

    /// Who the other side is at this point, in messages.
    private var speaker: String { layer.speaker ?? peer }

    /// The socket has ended, or nothing came from it.
    private func lost(_ what: String) { end(what + layer.circumstance) }

    /// Lets the layer do a step and hands on what it puts out.
    private func passOn(_ step: (inout any ByteLayer) -> ByteLayerOutput) {
        let output = step(&layer)
        wire.append(output.toPeer)
        if layer.isReady { announce() }
        deliverLines(output.fromPeer)
        flush()
        if let reason = output.end { end(reason) }
        // A layer answers by itself, too.
        if wire.count > limits.queuedBytes + Outbox.chunk { end(deafness) }
    }

    private func announce() {
        guard !isConnected, case .open(let socket) = phase else { return }
        isConnected = true
        greetingTimer?.cancel()
        greetingTimer = nil
        let remote = socket.remote
        route?.remember(remote)
        guard !isClosing.load(ordering: .acquiring) else { return }
        let prefix = route?.proxy == nil ? "" : "proxy "
        deliver(.connected(remote: prefix + (remote?.description ?? "unknown"), security: layer.security))
    }

    private func deliverLines(_ bytes: [UInt8]) {
        do throws(LineTooLong) {
            try framer.append(bytes) { line in
                guard !isClosing.load(ordering: .acquiring) else { return false }
                deliver(.line(line))
                return true
            }
        } catch {
            end("the \(peer) sent a line of more than \(limits.lineBytes) bytes")
        }
    }

    /// Writes until the socket is full or nothing is left.
    private func flush() {
        guard case .open(let socket) = phase, writeSource == nil, !isWritingBroken else { return }
        while refill() {
            switch wire.withBytes(socket.write) {
            case .wrote(let bytes): wire.drop(bytes)
            case .full: return awaitRoom(in: socket)
            case .failed(let error): return hearLastWords(error)
            }
        }
    }

    /// The peer has hung up. What it said before, such as why, may still wait to be read.
    private func hearLastWords(_ error: SystemError) {
        isWritingBroken = true
        for _ in 0..<16 { readable() }
        lost(error.words(peer: speaker))
    }

    /// Whether there is something to write. Ends the connection's sending side when it is flushed.
    private func refill() -> Bool {
        guard case .open(let socket) = phase else { return false }
        guard wire.isEmpty else { return true }
        guard layer.isReady else { return false }
        let bytes = outbox.withLock { $0.take(upTo: Outbox.chunk) }
        guard !bytes.isEmpty else { return closesWhenFlushed && hasFarewell(socket) }
        let output = layer.sent(bytes)
        wire.append(output.toPeer)
        if let reason = output.end { end(reason) }
        return true
    }

    /// Whether the layer still has something to say. Shuts the socket's sending side down when it has not.
    private func hasFarewell(_ socket: Socket) -> Bool {
        wire.append(layer.farewell())
        if wire.isEmpty { socket.shutDownWriting() }
        return !wire.isEmpty
    }

    private func awaitRoom(in socket: Socket) {
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler {
            self.writeSource?.cancel()
            self.writeSource = nil
            self.flush()
        }
        adopt(source)
        writeSource = source
    }
}

// Ends.
extension LineStream {
    /// Stops reading lines, and closes once the peer has taken everything and hung up, or the time is over.
    private func beginFlush() {
        guard case .open = phase else { return end("closed by this side") }
        guard !closesWhenFlushed else { return }
        closesWhenFlushed = true
        flushTimer = timer(after: limits.flushTimeout) { $0.end("closed by this side") }
        flush()
    }

    private func timer(after span: Duration, _ action: @escaping (LineStream) -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + span.dispatchInterval)
        timer.setEventHandler { action(self) }
        timer.activate()
        return timer
    }

    private func end(_ reason: String, byReset: Bool = false) {
        isClosing.store(true, ordering: .releasing)
        outbox.withLock { $0.shut(dropping: true) }
        switch phase {
        case .idle(.accepted(let socket)), .open(let socket):
            if byReset { socket.resetOnClose() } else { sayFarewell(socket) }
            phase = .ending(socket, reason: reason)
        case .dialling(let dialer):
            dialer.cancel()
            phase = .ending(nil, reason: reason)
        case .idle(.dial): phase = .ending(nil, reason: reason)
        case .ending, .ended: return
        }
        wire = ByteQueue()
        releaseSources()
        finishIfReleased()
    }

    /// Tells the peer in the layer's terms, if the socket takes it at once and nothing else is on its way.
    private func sayFarewell(_ socket: Socket) {
        guard wire.isEmpty, !isWritingBroken else { return }
        wire.append(layer.farewell())
        if !wire.isEmpty { _ = wire.withBytes(socket.write) }
    }

    private func releaseSources() {
        readSource?.cancel()
        writeSource?.cancel()
        greetingTimer?.cancel()
        flushTimer?.cancel()
        (readSource, writeSource, greetingTimer, flushTimer) = (nil, nil, nil, nil)
    }

    /// Counts a source on the socket until it is cancelled: the descriptor must not be closed, and perhaps be another
    /// socket's, while the kernel still watches it.
    private func adopt(_ source: some DispatchSourceProtocol) {
        liveSources += 1
        source.setCancelHandler {
            self.liveSources -= 1
            self.finishIfReleased()
        }
        source.activate()
    }

    private func finishIfReleased() {
        guard case .ending(let socket, let reason) = phase, liveSources == 0 else { return }
        phase = .ended
        socket?.close()
        deliver(.closed(reason: reason))
        onEvent = nil
    }

    private func deliver(_ event: ConnectionEvent) {
        guard !isSilent.load(ordering: .acquiring) else { return }
        onEvent?(event)
    }
}
