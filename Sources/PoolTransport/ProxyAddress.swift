internal import MiningWork

/// Where a SOCKS5 proxy listens, and who asks it. Printed without the latter.
public struct ProxyAddress: Hashable, Sendable {
    /// The port of an address that names none.
    public static let defaultPort: UInt16 = 1080
    /// Most bytes of a user, and of a password (RFC 1929).
    public static let longestCredential = 255

    /// A name or numeric address in lower case, without brackets.
    public var host: String { listener.host }
    /// 1…65535.
    public var port: UInt16 { listener.port }

    let listener: PoolAddress
    let credentials: ProxyCredentials?

    /// Reads `socks5://[USER[:PASS]@]HOST[:PORT]`; the scheme may be `socks5h` or missing. User and password may hold
    /// any byte as `%` and two hex digits.
    public init(parsing text: some StringProtocol) throws(ProxyAddressError) {
        var rest = String(text)[...]
        guard !rest.isEmpty else { throw .empty }
        if let scheme = rest.firstRange(of: "://") {
            let name = rest[..<scheme.lowerBound].lowercased()
            guard name == "socks5" || name == "socks5h" else { throw .scheme(name) }
            rest = rest[scheme.upperBound...]
        }
        let at = rest.lastIndex(of: "@")
        credentials = if let at { try ProxyCredentials(parsing: rest[..<at]) } else { nil }
        if let at { rest = rest[rest.index(after: at)...] }
        do {
            listener = try PoolAddress(authority: rest, defaultPort: Self.defaultPort)
        } catch {
            throw .address(error)
        }
    }
}

extension ProxyAddress: CustomStringConvertible {
    /// `socks5://host:port`, without user and password.
    public var description: String { "socks5://\(listener)" }
}

/// Who asks a proxy. A secret.
struct ProxyCredentials: Hashable, Sendable {
    let user: [UInt8]
    let password: [UInt8]

    init(parsing text: Substring) throws(ProxyAddressError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = try Self.bytes(parts[0])
        password = try Self.bytes(parts.count > 1 ? parts[1] : "")
        guard !user.isEmpty else { throw .noUser }
    }

    /// Undoes the escapes of a URL.
    private static func bytes(_ text: Substring) throws(ProxyAddressError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = Hex.decode(digits: rest.prefix(2)), escaped.count == 1 else { throw .escape }
            bytes += escaped
            rest = rest.dropFirst(2)
        }
        guard bytes.count <= ProxyAddress.longestCredential else { throw .longCredential(bytes: bytes.count) }
        return bytes
    }
}

/// Why a text is no proxy's address. Nothing of the text is kept but the scheme, since it may hold a password.
public enum ProxyAddressError: Error, Hashable, Sendable {
    /// Nothing was given.
    case empty
    /// A scheme other than `socks5` and `socks5h`.
    case scheme(String)
    /// There is an `@` and no user before it.
    case noUser
    /// A `%` without two hex digits after it.
    case escape
    /// The user or the password is longer than a proxy takes.
    case longCredential(bytes: Int)
    /// What follows is no host and port.
    case address(PoolAddressError)
}

extension ProxyAddressError: CustomStringConvertible {
    /// What is wrong, and what to write instead.
    public var description: String {
        let form = "write socks5://[USER:PASS@]HOST:PORT"
        return switch self {
        case .empty: "the proxy's address is empty; \(form)"
        case .scheme(let scheme): "\"\(PeerText.printable(scheme, limit: 20))\" is no scheme of a proxy; \(form)"
        case .noUser: "the proxy's address has no user before the @; \(form)"
        case .escape: "a % in the proxy's user or password needs two hex digits after it; write %25 for the sign itself"
        case .longCredential(let bytes):
            "the proxy's user or password has \(bytes) bytes; \(ProxyAddress.longestCredential) are possible"
        case .address(let error): "the proxy's address \(Self.complaint(error)); \(form)"
        }
    }

    private static func complaint(_ error: PoolAddressError) -> String {
        switch error {
        case .blank: "contains a blank"
        case .controlCharacter: "contains a control character"
        case .path: "goes on after the port"
        case .brackets: "needs brackets around its IPv6 address, as in [2001:db8::1]:1080"
        case .empty, .noHost: "has no host"
        case .longHost, .host, .scheme, .userInfo: "has a host that is no name or address"
        case .port: "needs a port from 1 to 65535"
        }
    }
}
