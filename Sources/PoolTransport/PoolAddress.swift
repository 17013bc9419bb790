import Glibc

/// Where a pool listens: a host name or numeric address, and a port. Printed as `host:port` or `[v6]:port`.
public struct PoolAddress: Hashable, Sendable {
    /// The port of an address that names none.
    public static let defaultPort: UInt16 = 3333
    /// Most characters in a host name (RFC 1035).
    public static let longestHost = 253

    /// A name or numeric address in lower case, without brackets; an IPv6 address may end in `%zone`.
    public let host: String
    /// 1…65535.
    public let port: UInt16

    /// Whether the host is a numeric IPv6 address.
    public var isIPv6: Bool { host.contains(":") }

    /// Reads `host`, `host:port`, `[v6]:port`, each perhaps after `stratum+tcp://` or `tcp://` and before one slash.
    public init(parsing text: some StringProtocol) throws(PoolAddressError) {
        let text = String(text)
        guard !text.isEmpty else { throw .empty }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter(value: text)
        }
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else { throw .blank(value: text) }
        let authority = try Self.authority(of: text)
        let (host, port) = try Self.split(authority, of: text)
        try self.init(host: host, port: port.map { port throws(PoolAddressError) in try Self.number(port, of: text) })
    }

    /// An address of a bare host: a name, IPv4, or IPv6 without brackets; `port` nil means the default one.
    public init(host: String, port: UInt16?) throws(PoolAddressError) {
        guard port != 0 else { throw .port(value: host + ":0", port: "0") }
        self.host = try HostName.canonical(host)
        self.port = port ?? Self.defaultPort
    }

    /// What follows the scheme.
    private static func authority(of text: String) throws(PoolAddressError) -> Substring {
        var rest = text[...]
        if let scheme = text.firstRange(of: "://") {
            let name = text[..<scheme.lowerBound].lowercased()
            guard name == "stratum+tcp" || name == "tcp" else { throw .scheme(name, value: text) }
            rest = text[scheme.upperBound...]
        }
        if let at = rest.lastIndex(of: "@") { throw .userInfo(host: String(rest[rest.index(after: at)...])) }
        if rest.last == "/" { rest.removeLast() }
        guard !rest.contains(where: { "/?#".contains($0) }) else { throw .path(value: text) }
        return rest
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
    /// `host:port`, or `[v6]:port`.
    public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
