import COpenSSL

/// Decides during a handshake whether the pool's certificate will do, and says why not.
///
/// A class since OpenSSL keeps a pointer to it; used on one queue.
final class CertificateJudge {
    private let policy: TLSPolicy
    private let host: String
    /// The certificate that was found good.
    private(set) var accepted: CertificateFingerprint?
    /// Why none was, in words.
    private(set) var refusal: String?

    init(_ policy: TLSPolicy, host: String) {
        self.policy = policy
        self.host = host
    }

    /// Judges the chain that the peer sent, in the middle of the handshake. False refuses it, and the handshake fails.
    func judge(_ chain: OpaquePointer) -> Bool {
        guard let leaf = X509_STORE_CTX_get0_cert(chain), let seen = Certificate(leaf).fingerprint else {
            refusal = "the pool showed no certificate"
            return false
        }
        refusal = complaint(about: Certificate(leaf), seen, in: chain)
        accepted = refusal == nil ? seen : nil
        return refusal == nil
    }

    private func complaint(
        about leaf: Certificate,
        _ seen: CertificateFingerprint,
        in chain: OpaquePointer
    ) -> String? {
        switch policy {
        case .insecure: return nil
        case .pinned(seen): return nil
        case .pinned(let wanted):
            // Tells the peer as well.
            X509_STORE_CTX_set_error(chain, X509_V_ERR_CERT_REJECTED)
            return "the pool's certificate is not the pinned one: it has \(seen), not \(wanted)"
        case .systemAuthorities, .authorities:
            guard X509_verify_cert(chain) != 1 else { return nil }
            return words(for: X509_STORE_CTX_get_error(chain), leaf, seen, in: chain)
        }
    }

    private func words(
        for error: Int32,
        _ leaf: Certificate,
        _ seen: CertificateFingerprint,
        in chain: OpaquePointer
    ) -> String {
        let pin = "to trust just this one: --tls-fingerprint \(seen)"
        return switch error {
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: "the pool's certificate is self-signed; \(pin)"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "no authority trusted here signed the pool's certificate (--tls-ca FILE); \(pin)"
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            "the pool's certificate is not for \(host): it is for \(leaf.names)"
        case X509_V_ERR_CERT_HAS_EXPIRED: "\(culprit(in: chain)) expired on \(current(in: chain, or: leaf).lastDay)"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            "\(culprit(in: chain)) is not valid before \(current(in: chain, or: leaf).firstDay); is the clock right?"
        default: "\(culprit(in: chain)) is no good: \(String(cString: X509_verify_cert_error_string(Int(error))))"
        }
    }

    /// Which of the chain's certificates the error is about.
    private func culprit(in chain: OpaquePointer) -> String {
        X509_STORE_CTX_get_error_depth(chain) == 0
            ? "the pool's certificate" : "the certificate of the pool's authority"
    }

    private func current(in chain: OpaquePointer, or leaf: Certificate) -> Certificate {
        X509_STORE_CTX_get_current_cert(chain).map { Certificate($0) } ?? leaf
    }
}
