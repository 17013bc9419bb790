import Dispatch
import Glibc
import PoolTransport

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

/// Keeps a connection and what happens on it.
final class Witness: Sendable {
    let connection: Connection
    let events: AsyncStream<ConnectionEvent>

    init(_ connection: Connection, onEvent: (@Sendable (Connection, ConnectionEvent) -> Void)? = nil) {
        self.connection = connection
        let (events, sink) = AsyncStream.makeStream(of: ConnectionEvent.self)
        self.events = events
        connection.start { [weak connection] event in
            if let connection { onEvent?(connection, event) }
            sink.yield(event)
            if case .closed = event { sink.finish() }
        }
    }

    convenience init(to port: UInt16, limits: ConnectionLimits = ConnectionLimits()) throws {
        self.init(Connection(to: try PoolAddress(host: "127.0.0.1", port: port), limits: limits))
    }

    /// Everything until the end.
    func all() async -> [ConnectionEvent] { await events.reduce(into: []) { $0.append($1) } }

    /// The lines until the end, and the reason of the end.
    func linesAndReason() async -> (lines: [String], reason: String) {
        await events.reduce(into: ([], "")) { outcome, event in
            switch event {
            case .connected: break
            case .line(let bytes): outcome.0.append(String(decoding: bytes, as: UTF8.self))
            case .closed(let reason): outcome.1 += reason
            }
        }
    }
}

/// A listener that does with each connection what a test says, and keeps them all.
final class TestPool: Sendable {
    let listener: Listener
    private let kept = Locked<[Witness]>([])

    init(
        family: LoopbackFamily = .ipv4,
        limits: ConnectionLimits = ConnectionLimits(),
        onEvent: @escaping @Sendable (Connection, ConnectionEvent) -> Void
    ) throws {
        listener = try Listener(family: family, limits: limits)
        listener.start { [self] connection in
            let witness = Witness(connection, onEvent: onEvent)
            kept.withLock { $0.append(witness) }
        }
    }

    var port: UInt16 { listener.port }
    var witnesses: [Witness] { kept.withLock { $0 } }

    /// Ends the cycle between pool and listener.
    func stop() { listener.stop() }
}

/// A bare socket on a free port of 127.0.0.1 that never accepts; with `backlog` nil it doesn't even listen.
final class DeafPort {
    let port: UInt16
    private let descriptor: Int32

    init(backlog: Int32?) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, size)
                _ = getsockname(descriptor, $0, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        if let backlog { _ = listen(descriptor, backlog) }
    }

    deinit { close(descriptor) }
}

/// A port whose queue of unaccepted connections is full: the kernel answers nothing to a further attempt.
final class SilentPort {
    private let deaf = DeafPort(backlog: 0)
    private let fillers: [Witness]

    var port: UInt16 { deaf.port }

    /// Fills the queue, which takes one connection with a backlog of zero.
    init() async throws {
        let filler = try Witness(to: deaf.port)
        fillers = [filler]
        for await event in filler.events {
            if case .connected = event { break }
        }
    }
}

/// Blocks a thread until it is lifted.
final class Blockade: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func lift() { semaphore.signal() }
}
