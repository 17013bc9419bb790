/// How long a connection waits and how much it holds.
public struct ConnectionLimits: Hashable, Sendable {
    /// For looking the name up and trying all its addresses, in all.
    public var connectTimeout: Duration = .seconds(20)
    /// For looking the name up, where the address that it had before can be taken instead.
    public var lookupTimeout: Duration = .seconds(5)
    /// How long one address is waited for before the next is tried too.
    public var attemptDelay: Duration = .milliseconds(200)
    /// For the greetings of proxy and TLS, together.
    public var greetingTimeout: Duration = .seconds(20)
    /// Most bytes in a received line, without its newline.
    public var lineBytes = 65536
    /// Most bytes that may wait because the peer does not read.
    public var queuedBytes = 1 << 20
    /// How long `closeAfterFlush()` waits for the peer to take what is left.
    public var flushTimeout: Duration = .seconds(5)

    /// The limits that suit a pool.
    public init() {}
}
