import Glibc

/// Why a name has no address, in words.
struct NameLookupFailure: Error, Hashable {
    let reason: String

    static let notFound = NameLookupFailure(reason: "name not found")
    static let timedOut = NameLookupFailure(reason: "timed out looking up the name")
}

/// Turns a host into numeric addresses.
enum NameLookup {
    /// A way of looking up; it may block.
    typealias Resolver = @Sendable (PoolAddress) -> Result<[SocketAddress], NameLookupFailure>

    /// Asks the system, in the order that it prefers.
    static func system(_ address: PoolAddress) -> Result<[SocketAddress], NameLookupFailure> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(address.host, String(address.port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else { return .failure(NameLookupFailure(reason: words(status))) }
        return .success(addresses(in: list))
    }

    private static func addresses(in list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
        sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry = entry?.pointee, let address = entry.ai_addr else { return nil }
            return SocketAddress(address, byteCount: entry.ai_addrlen)
        }
    }

    private static func words(_ status: Int32) -> String {
        switch status {
        // EAI_NONAME, and EAI_NODATA, which glibc's header hides.
        case EAI_NONAME, -5: NameLookupFailure.notFound.reason
        case EAI_AGAIN: "the name server does not answer"
        case EAI_SYSTEM: SystemError.last.words(peer: "name server")
        default: String(cString: gai_strerror(status))
        }
    }
}
