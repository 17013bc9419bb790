import BlocMiner

extension ValueRefusal {
    /// `text` is not what it should be.
    static func notAllowed(_ text: some StringProtocol, _ allowed: String) -> ValueRefusal {
        ValueRefusal(reason: "'\(PeerText.printable(text, limit: 60))' is not \(allowed)")
    }

    /// No algorithm has this name.
    static func unknownAlgorithm(_ name: some StringProtocol) -> ValueRefusal {
        let near = AlgorithmCatalog.cryptoNight.names(near: name).map { "'\($0)'" }.joined(separator: " or ")
        let shown = PeerText.printable(name, limit: 60)
        return ValueRefusal(
            reason: "no algorithm is called '\(shown)'; did you mean \(near)? 'blocminer algorithms' lists them all"
        )
    }
}

extension ValueFormat<HashVariant> {
    /// The name or alias of one algorithm.
    static let algorithm = ValueFormat("A") { text throws(ValueRefusal) in
        guard let variant = HashVariant(named: text) else { throw .unknownAlgorithm(text) }
        return variant
    }
}

extension ValueFormat<[HashVariant]> {
    /// Names or aliases separated by commas, or "all".
    static let algorithms = ValueFormat("A|all") { text throws(ValueRefusal) in
        guard text.lowercased() != "all" else { return HashVariant.all }
        var variants: [HashVariant] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let variant = HashVariant(named: name) else { throw .unknownAlgorithm(name) }
            if !variants.contains(variant) { variants.append(variant) }
        }
        return variants
    }
}

extension ValueFormat<InstructionSet> {
    /// A path that this CPU runs.
    static let path = ValueFormat("P", choices: InstructionSet.all.map(\.name)) { text throws(ValueRefusal) in
        do { return try InstructionSet(named: text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

extension ValueFormat<Coin> {
    /// A coin, or "none".
    static let coin = ValueFormat("C", choices: Coin.all.map(\.name)) { text throws(ValueRefusal) in
        do { return try Coin(named: text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

extension ValueFormat<PUList> {
    /// Processing units by their operating-system numbers.
    static let affinity = ValueFormat("LIST") { text throws(ValueRefusal) in
        do { return try PUList(text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

extension ValueFormat<PoolAddress> {
    /// A pool's host and port.
    static let pool = ValueFormat("URL") { text throws(ValueRefusal) in
        do { return try PoolAddress(parsing: text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

extension ValueFormat<ProxyAddress> {
    /// A SOCKS5 proxy. It is never quoted in a message, since it may hold a password.
    static let proxy = ValueFormat("URL") { text throws(ValueRefusal) in
        do { return try ProxyAddress(parsing: text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

extension ValueFormat<CertificateAuthorities> {
    /// A file of certificates, which is read at once.
    static let authorities = ValueFormat("FILE") { text throws(ValueRefusal) in
        guard !text.isEmpty else { throw .empty }
        do { return try CertificateAuthorities(file: text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

extension ValueFormat<CertificateFingerprint> {
    /// A certificate's SHA-256.
    static let fingerprint = ValueFormat("SHA256") { text throws(ValueRefusal) in
        do { return try CertificateFingerprint(parsing: text) } catch { throw ValueRefusal(reason: "\(error)") }
    }
}

/// A user and a password, as one option gives them.
struct UserPassword: Sendable {
    let user: String
    let password: String
}

extension ValueFormat<UserPassword> {
    /// USER:PASS, parted at the first colon that belongs to neither "solo:" nor "prop:".
    static let userPassword = ValueFormat("USER:PASS") { text throws(ValueRefusal) in
        let scheme = ["solo:", "prop:"].first { text.lowercased().hasPrefix($0) } ?? ""
        let rest = text.dropFirst(scheme.count)
        guard let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw ValueRefusal(reason: "a user, a colon and a password are needed, as in USER:PASS")
        }
        return UserPassword(
            user: try ValueFormat<String>.checkedLoginText(String(text[..<colon])),
            password: try ValueFormat<String>.checkedLoginText(String(rest[rest.index(after: colon)...]))
        )
    }
}
