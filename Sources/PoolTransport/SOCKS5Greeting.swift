/// Why a SOCKS5 proxy is of no use.
package struct SOCKS5Refusal: Error, Hashable {
    /// In words, for the log.
    package let reason: String
}

/// The client's side of a SOCKS5 greeting (RFC 1928, user and password by RFC 1929), as a value: the proxy's bytes go
/// in, in pieces of any size, and the answers come out. The proxy looks the destination's name up.
package struct SOCKS5Greeting {
    /// What to do with the bytes that were taken.
    package struct Step: Hashable {
        /// Goes to the proxy.
        package var answer: [UInt8] = []
        /// Came after the greeting: the destination's first bytes.
        package var rest: [UInt8] = []
    }

    private enum Stage { case method, login, reply, over }

    private let destination: PoolAddress
    private let credentials: ProxyCredentials?
    private var stage = Stage.method
    /// The beginning of a message of the proxy.
    private var pending: [UInt8] = []

    /// A greeting for `proxy` that asks for a connection to `destination`.
    package init(_ proxy: ProxyAddress, to destination: PoolAddress) {
        self.destination = destination
        credentials = proxy.credentials
    }

    /// Whether the proxy has connected and passes everything on from now on.
    package var isOver: Bool { stage == .over }
    /// What the proxy is expected to do next, for messages about its silence.
    package var isConnecting: Bool { stage == .reply }
    /// What the proxy is sent first: the methods of authentication that will do.
    package var opening: [UInt8] { credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// Takes the proxy's next bytes, and no byte more than belongs to the greeting.
    package mutating func received(_ bytes: [UInt8]) throws(SOCKS5Refusal) -> Step {
        pending += bytes
        var step = Step()
        while stage != .over, let message = try nextMessage() {
            pending.removeFirst(message.count)
            step.answer += try answer(to: message)
        }
        guard stage == .over else { return step }
        (step.rest, pending) = (pending, [])
        return step
    }

    /// The proxy's next message, once all of it is there.
    private func nextMessage() throws(SOCKS5Refusal) -> [UInt8]? {
        if stage != .login, let version = pending.first, version != 5 { throw stranger }
        let byteCount = stage == .reply ? try SOCKS5Reply.byteCount(beginning: pending) : 2
        guard let byteCount, pending.count >= byteCount else { return nil }
        return Array(pending.prefix(byteCount))
    }

    private mutating func answer(to message: [UInt8]) throws(SOCKS5Refusal) -> [UInt8] {
        switch (stage, message[1]) {
        case (.method, 0), (.login, 0):
            stage = .reply
            return request
        case (.method, 2):
            guard let credentials else { throw SOCKS5Refusal(reason: "the proxy wants a user and password") }
            stage = .login
            return [1, UInt8(credentials.user.count)] + credentials.user
                + [UInt8(credentials.password.count)] + credentials.password
        case (.method, 0xff) where credentials == nil:
            throw SOCKS5Refusal(reason: "the proxy takes nobody without a login, perhaps a user and password")
        case (.method, 0xff): throw SOCKS5Refusal(reason: "the proxy takes neither a user and password nor nobody")
        case (.method, let method):
            throw SOCKS5Refusal(reason: "the proxy chose method \(method), which wasn't offered")
        case (.login, _): throw SOCKS5Refusal(reason: "the proxy refused the user or password")
        case (.reply, _), (.over, _):
            stage = .over
            return []
        }
    }

    /// Asks for the connection.
    private var request: [UInt8] {
        let port = [UInt8(destination.port >> 8), UInt8(destination.port & 0xff)]
        return [5, 1, 0] + SOCKS5Address.bytes(of: destination.host) + port
    }

    private var stranger: SOCKS5Refusal {
        let isHTTP = pending.starts(with: "HTTP".utf8.prefix(pending.count))
        return SOCKS5Refusal(
            reason: isHTTP ? "an HTTP server answers, not a SOCKS5 proxy" : "what answers is no SOCKS5 proxy"
        )
    }
}

/// The proxy's answer to the request for a connection.
enum SOCKS5Reply {
    /// The length of the reply that begins so; nil as long as that is too little to tell. Throws what it refuses.
    static func byteCount(beginning bytes: [UInt8]) throws(SOCKS5Refusal) -> Int? {
        guard bytes.count >= 2 else { return nil }
        guard bytes[1] == 0 else { throw SOCKS5Refusal(reason: words(for: bytes[1])) }
        guard bytes.count >= 4 else { return nil }
        switch bytes[3] {
        case 1: return 4 + 4 + 2
        case 4: return 4 + 16 + 2
        case 3: return bytes.count >= 5 ? 4 + 1 + Int(bytes[4]) + 2 : nil
        default: throw SOCKS5Refusal(reason: "the proxy's reply holds an address of unknown type \(bytes[3])")
        }
    }

    private static func words(for code: UInt8) -> String {
        switch code {
        case 1: "the proxy failed"
        case 2: "the proxy's rules forbid a connection to the pool"
        case 3: "the proxy says: network unreachable"
        case 4: "the proxy says: host unreachable"
        case 5: "the proxy says: the pool refused the connection"
        case 6: "the proxy says: the pool is too far away (time to live expired)"
        case 7: "the proxy makes no connections (command not supported)"
        case 8: "the proxy says: address type not supported"
        default: "the proxy refused with code \(code)"
        }
    }
}

/// How a host is written in SOCKS5: its type, then its bytes.
enum SOCKS5Address {
    static func bytes(of host: String) -> [UInt8] {
        if let ipv4 = HostName.ipv4Bytes(of: host) { return [1] + ipv4 }
        // A zone names an interface of this machine and means nothing to the proxy.
        if let ipv6 = HostName.ipv6Bytes(of: String(host.prefix { $0 != "%" })) { return [4] + ipv6 }
        return [3, UInt8(host.utf8.count)] + host.utf8
    }
}
