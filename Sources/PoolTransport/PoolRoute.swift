/// The way to a pool: where it listens, how it proves itself if it uses TLS, and through which proxy it is reached.
///
/// Connections over the same route remember the numeric address that the last of them reached, for times when names
/// can't be looked up. So keep the route.
public final class PoolRoute: Sendable {
    /// Where the pool listens.
    public let address: PoolAddress
    /// How the pool proves itself, if the address says TLS.
    public let tls: TLSPolicy
    /// The proxy that connects to the pool and looks its name up; nil: none.
    public let proxy: ProxyAddress?

    private let reached = Locked<SocketAddress?>(nil)

    /// A route that nobody has gone yet.
    public init(to address: PoolAddress, tls: TLSPolicy = .systemAuthorities, proxy: ProxyAddress? = nil) {
        self.address = address
        self.tls = tls
        self.proxy = proxy
    }
}

extension PoolRoute {
    /// Who is dialled.
    var firstStop: PoolAddress { proxy?.listener ?? address }
    /// Who that is, in messages.
    var firstStopName: String { proxy == nil ? "pool" : "proxy" }

    /// The numeric address that the last good connection reached.
    var lastReached: SocketAddress? { reached.withLock { $0 } }

    /// A connection's greeting went well at `remote`.
    func remember(_ remote: SocketAddress?) {
        if let remote { reached.withLock { $0 = remote } }
    }

    /// What lies between the socket and the lines.
    var layer: any ByteLayer {
        let layer: any ByteLayer =
            address.usesTLS ? TLSLayer(tls, host: address.host) : PlainLayer(mayWantTLS: true)
        guard let proxy else { return layer }
        return ProxyLayer(SOCKS5Greeting(proxy, to: address), then: layer)
    }
}
