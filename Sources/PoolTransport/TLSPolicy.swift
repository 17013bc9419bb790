/// How a pool proves on a connection with TLS that it is the one that was meant.
public enum TLSPolicy: Hashable, Sendable {
    /// By a certificate for its host, signed by an authority that this system trusts.
    case systemAuthorities
    /// By a certificate for its host, signed by one of these authorities and no other.
    case authorities(CertificateAuthorities)
    /// By this very certificate; for whom it is, until when and who signed it doesn't matter.
    case pinned(CertificateFingerprint)
    /// Not at all: whoever answers is believed.
    case insecure
}

/// What a TLS handshake came to.
public struct TLSSecurity: Hashable, Sendable {
    /// The protocol, such as "TLS 1.3".
    public let version: String
    /// What the pool's certificate was judged by.
    public let policy: TLSPolicy
    /// The host that the certificate had to be for, where that was looked at.
    public let host: String
    /// The pool's certificate.
    public let fingerprint: CertificateFingerprint

    /// A handshake over `version`, with the certificate `fingerprint` that `policy` took for `host`.
    public init(version: String, policy: TLSPolicy, host: String, fingerprint: CertificateFingerprint) {
        self.version = version
        self.policy = policy
        self.host = host
        self.fingerprint = fingerprint
    }
}

extension TLSSecurity: CustomStringConvertible {
    /// The protocol and what was verified, as in "TLS 1.3, certificate verified for pool.example".
    public var description: String {
        switch policy {
        case .systemAuthorities: "\(version), certificate verified for \(host)"
        case .authorities(let authorities): "\(version), certificate verified for \(host) by \(authorities.path)"
        case .pinned: "\(version), certificate as pinned"
        case .insecure: "\(version), certificate not verified"
        }
    }
}
