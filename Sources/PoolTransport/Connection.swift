public import Dispatch

/// What happened on a connection.
public enum ConnectionEvent: Hashable, Sendable {
    /// Lines can flow. `remote` is the peer's numeric address and port, or "proxy" and the proxy's; `security` is what
    /// TLS came to, nil without it.
    case connected(remote: String, security: TLSSecurity? = nil)
    /// A line from the peer, without its newline; a carriage return stays.
    case line([UInt8])
    /// The end, once, with the reason in words. The socket is closed.
    case closed(reason: String)
}

/// A TCP connection that carries lines, IPv4 or IPv6, perhaps with TLS or through a proxy, without blocking anybody.
///
/// Events arrive one at a time on the connection's serial queue. All methods can be called from any thread, in a handler
/// too, and in any state. The owner keeps it: a released connection is cancelled.
public final class Connection: Sendable {
    private let stream: LineStream

    /// A connection to a pool, dialled by `start`. Events arrive on a serial queue of its own, which targets `queue` if
    /// one is given: connections that share a serial target never run at the same time.
    public convenience init(
        over route: PoolRoute,
        limits: ConnectionLimits = ConnectionLimits(),
        queue: DispatchQueue? = nil
    ) {
        self.init(over: route, limits: limits, queue: queue, resolver: NameLookup.system)
    }

    /// A connection to a pool by a route of its own, without a proxy.
    public convenience init(
        to address: PoolAddress,
        limits: ConnectionLimits = ConnectionLimits(),
        queue: DispatchQueue? = nil
    ) {
        self.init(over: PoolRoute(to: address), limits: limits, queue: queue)
    }

    /// Takes over the connected stream socket `descriptor`, which was accepted from a miner.
    public init(accepted descriptor: Int32, limits: ConnectionLimits = ConnectionLimits(), queue: DispatchQueue? = nil)
    {
        stream = LineStream(.accepted(Socket(owning: descriptor)), limits: limits, target: queue)
    }

    init(
        over route: PoolRoute,
        limits: ConnectionLimits,
        queue: DispatchQueue?,
        resolver: @escaping NameLookup.Resolver
    ) {
        stream = LineStream(.dial(route, resolver), limits: limits, target: queue)
    }

    deinit { stream.cancel() }

    /// Begins; `onEvent` hears everything from now on. A second call does nothing.
    public func start(onEvent: @escaping @Sendable (ConnectionEvent) -> Void) { stream.start(onEvent) }

    /// Sends a line and its newline. Kept until the connection is up, dropped once it is closed. If more waits than the
    /// limit, the connection closes: the peer doesn't read.
    public func send(line: [UInt8]) { stream.send(line + [UInt8(ascii: "\n")]) }

    /// Sends a line of text and its newline.
    public func send(line: String) { send(line: Array(line.utf8)) }

    /// Sends bytes as they are, for peers that misbehave on purpose.
    public func send(bytes: [UInt8]) { stream.send(bytes) }

    /// Closes at once and drops what was not sent. No line arrives after the call; `.closed` still does.
    public func close() { stream.close() }

    /// Closes as soon as the peer has taken all that was sent before. No line arrives after the call; `.closed` does.
    public func closeAfterFlush() { stream.closeAfterFlush() }

    /// Closes with a reset instead of an orderly end.
    public func reset() { stream.close(byReset: true) }

    /// Closes without a word: after the call no handler is called any more, except one that is running at that moment.
    public func cancel() { stream.cancel() }
}
