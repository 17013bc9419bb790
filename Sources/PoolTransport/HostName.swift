import Glibc

/// The rules for the host part of a pool's address.
enum HostName {
    /// `host` in lower case, an IPv6 address in its shortest form.
    static func canonical(_ host: String) throws(PoolAddressError) -> String {
        guard !host.isEmpty else { throw .noHost }
        guard host.utf8.count <= PoolAddress.longestHost else { throw .longHost(bytes: host.utf8.count) }
        return host.contains(":") ? try ipv6(host) : try name(host)
    }

    private static func ipv6(_ host: String) throws(PoolAddressError) -> String {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let text = shortestIPv6(String(parts[0])) else { throw .host(value: host) }
        guard parts.count == 2 else { return text }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ isNameByte($0) }) else { throw .host(value: host) }
        return "\(text)%\(parts[1])"
    }

    private static func name(_ host: String) throws(PoolAddressError) -> String {
        let name = host.lowercased()
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard !labels.isEmpty, labels.allSatisfy({ isLabel($0) }) else { throw .host(value: host) }
        // A name that ends in a number is an IPv4 address; resolvers read odd ones ("127.1") in odd ways.
        if labels.last?.utf8.allSatisfy({ isDigit($0) }) == true, ipv4Bytes(of: name) == nil {
            throw .host(value: host)
        }
        return name
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.utf8.allSatisfy { isNameByte($0) }
            && label.first != "-" && label.last != "-"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The four bytes of a numeric IPv4 address; nil for anything else.
    static func ipv4Bytes(of host: String) -> [UInt8]? {
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 ? withUnsafeBytes(of: address) { Array($0) } : nil
    }

    /// The sixteen bytes of a numeric IPv6 address without a zone; nil for anything else.
    static func ipv6Bytes(of host: String) -> [UInt8]? {
        var address = in6_addr()
        return inet_pton(AF_INET6, host, &address) == 1 ? withUnsafeBytes(of: address) { Array($0) } : nil
    }

    private static func shortestIPv6(_ text: String) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(AF_INET6, &address, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }
}
