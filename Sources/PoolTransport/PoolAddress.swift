/// Where a pool listens: a host name or numeric address, and a port. Printed as `host:port` or `[v6]:port`, after
/// `stratum+ssl://` if it uses TLS.
public struct PoolAddress: Hashable, Sendable {
    /// The port of an address that names none.
    public static let defaultPort: UInt16 = 3333
    /// Most characters in a host name (RFC 1035).
    public static let longestHost = 253
    /// Whether TLS is meant by each scheme.
    private static let schemes = [
        "stratum+tcp": false, "tcp": false,
        "stratum+ssl": true, "stratum+tls": true, "stratums": true, "ssl": true, "tls": true,
    ]

    /// A name or numeric address in lower case, without brackets; an IPv6 address may end in `%zone`.
    public let host: String
    /// 1…65535.
    public let port: UInt16
    /// Whether the pool is spoken with over TLS.
    public var usesTLS = false

    /// Whether the host is a numeric IPv6 address.
    public var isIPv6: Bool { host.contains(":") }

    /// Reads `host`, `host:port`, `[v6]:port`, each perhaps after a scheme and before one slash. The schemes are
    /// `stratum+tcp` and `tcp`, and for TLS `stratum+ssl`, `stratum+tls`, `stratums`, `ssl` and `tls`.
    public init(parsing text: some StringProtocol) throws(PoolAddressError) {
        let text = String(text)
        guard !text.isEmpty else { throw .empty }
        try Self.checkCharacters(text[...])
        let (authority, usesTLS) = try Self.withoutScheme(text)
        if let at = authority.lastIndex(of: "@") {
            throw .userInfo(host: String(authority[authority.index(after: at)...]))
        }
        try self.init(authority: authority, of: text, defaultPort: Self.defaultPort)
        self.usesTLS = usesTLS
    }

    /// An address of a bare host: a name, IPv4, or IPv6 without brackets; `port` nil means the default one.
    public init(host: String, port: UInt16?) throws(PoolAddressError) {
        guard port != 0 else { throw .port(value: host + ":0", port: "0") }
        self.host = try HostName.canonical(host)
        self.port = port ?? Self.defaultPort
    }

    /// Reads what follows a scheme in the whole `text`.
    init(authority: Substring, of text: String? = nil, defaultPort: UInt16) throws(PoolAddressError) {
        let text = text ?? String(authority)
        try Self.checkCharacters(authority)
        let authority = authority.last == "/" ? authority.dropLast() : authority
        guard !authority.contains(where: { "/?#".contains($0) }) else { throw .path(value: text) }
        let (host, port) = try Self.split(authority, of: text)
        let number = try port.map { port throws(PoolAddressError) in try Self.number(port, of: text) }
        try self.init(host: host, port: number ?? defaultPort)
    }

    private static func checkCharacters(_ text: Substring) throws(PoolAddressError) {
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter(value: String(text))
        }
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            throw .blank(value: String(text))
        }
    }

    /// What follows the scheme, and whether the scheme means TLS.
    private static func withoutScheme(_ text: String) throws(PoolAddressError) -> (Substring, usesTLS: Bool) {
        guard let scheme = text.firstRange(of: "://") else { return (text[...], false) }
        let name = text[..<scheme.lowerBound].lowercased()
        guard let usesTLS = schemes[name] else { throw .scheme(name, value: text) }
        return (text[scheme.upperBound...], usesTLS)
    }

    private static func split(
        _ authority: Substring,
        of text: String
    ) throws(PoolAddressError) -> (host: String, port: Substring?) {
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { throw .brackets(value: text) }
            let host = authority[authority.index(after: authority.startIndex)..<bracket]
            let rest = authority[authority.index(after: bracket)...]
            guard host.contains(":"), rest.isEmpty || rest.first == ":" else { throw .brackets(value: text) }
            return (String(host), rest.isEmpty ? nil : rest.dropFirst())
        }
        guard let colon = authority.firstIndex(of: ":") else { return (String(authority), nil) }
        let port = authority[authority.index(after: colon)...]
        guard !port.contains(":") else { throw .brackets(value: text) }
        return (String(authority[..<colon]), port)
    }

    private static func number(_ port: Substring, of text: String) throws(PoolAddressError) -> UInt16 {
        guard port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt16(port), number > 0
        else { throw .port(value: text, port: String(port)) }
        return number
    }
}

extension PoolAddress: CustomStringConvertible {
    /// `host:port` or `[v6]:port`, with TLS after `stratum+ssl://`.
    public var description: String {
        let scheme = usesTLS ? "stratum+ssl://" : ""
        return isIPv6 ? "\(scheme)[\(host)]:\(port)" : "\(scheme)\(host):\(port)"
    }
}
