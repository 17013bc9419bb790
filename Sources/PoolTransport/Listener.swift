public import Dispatch
import Glibc

/// A port could not be opened.
public struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, with which port, and what to do.
    public let description: String
}

/// Accepts connections on loopback only: no other machine can reach it.
public final class Listener: Sendable {
    /// The port it listens on.
    public let port: UInt16
    private let acceptor: Acceptor

    /// Opens `port`, or any free one for 0, on 127.0.0.1 or ::1. The handlers of the listener and of its connections run
    /// on serial queues that target `queue`, if it is given.
    public init(
        port: UInt16 = 0,
        family: LoopbackFamily = .ipv4,
        limits: ConnectionLimits = ConnectionLimits(),
        queue: DispatchQueue? = nil
    ) throws(ListenerError) {
        do throws(SystemError) {
            let socket = try Self.listening(at: SocketAddress(loopback: family, port: port))
            self.port = socket.local?.port ?? port
            acceptor = Acceptor(socket, limits: limits, target: queue)
        } catch {
            throw ListenerError(
                description:
                    "cannot listen on loopback port \(port): \(error.words(peer: "system")); choose another port"
            )
        }
    }

    deinit { acceptor.stop() }

    /// Begins to accept. `onAccept` gets each connection, not started yet, and keeps it or thereby closes it.
    public func start(onAccept: @escaping @Sendable (Connection) -> Void) { acceptor.start(onAccept) }

    /// Accepts nothing more and closes the port. Idempotent; connections live on.
    public func stop() { acceptor.stop() }

    private static func listening(at address: SocketAddress) throws(SystemError) -> Socket {
        let socket = try Socket(family: address.family)
        socket.set(SO_REUSEADDR, of: SOL_SOCKET, to: 1)
        guard address.withPointer({ bind(socket.descriptor, $0, $1) }) == 0, listen(socket.descriptor, 128) == 0 else {
            throw .last
        }
        return socket
    }
}

/// The inside of a listener. Unchecked: `queue`, a serial one, confines everything after `init`.
private final class Acceptor: @unchecked Sendable {
    private let queue: DispatchQueue
    private let target: DispatchQueue?
    private let limits: ConnectionLimits
    private var socket: Socket?
    private var source: (any DispatchSourceRead)?
    private var onAccept: (@Sendable (Connection) -> Void)?

    init(_ socket: Socket, limits: ConnectionLimits, target: DispatchQueue?) {
        self.socket = socket
        self.limits = limits
        self.target = target
        queue = DispatchQueue(label: "listener", target: target)
    }

    func start(_ onAccept: @escaping @Sendable (Connection) -> Void) {
        queue.async { [self] in
            guard self.onAccept == nil else { return }
            self.onAccept = onAccept
            watch()
        }
    }

    func stop() {
        queue.async { [self] in
            source?.cancel()
            (source, socket, onAccept) = (nil, nil, nil)
        }
    }

    private func watch() {
        guard let socket else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { self.acceptOne(from: socket) }
        // The descriptor must outlive the source, so the source's last handler holds the socket.
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        source.activate()
        self.source = source
    }

    private func acceptOne(from socket: Socket) {
        let descriptor = accept(socket.descriptor, nil, nil)
        if descriptor >= 0 {
            let connection = Connection(accepted: descriptor, limits: limits, queue: target)
            onAccept?(connection)
        } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
            rest()
        }
    }

    /// Without a free descriptor the port stays readable for ever; looks again in a moment instead of spinning.
    private func rest() {
        source?.cancel()
        source = nil
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in
            if source == nil { watch() }
        }
    }
}
