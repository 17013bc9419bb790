import COpenSSL
import FoundationEssentials
import PoolTransport
import Testing

/// A certificate and its key, made when a test runs, so that it never expires by itself.
///
/// Unchecked: nothing changes after `init`, and OpenSSL counts references atomically.
final class TestCertificate: @unchecked Sendable {
    /// Everything that can be asked for.
    struct Wish {
        /// Alternative names, as in "DNS:pool.example,IP:127.0.0.1".
        var names = "DNS:pool.example,IP:127.0.0.1"
        /// From when to when it holds, in days from now.
        var days = -1...1
        var isAuthority = false
        /// Who signs it; nil: itself.
        var issuer: TestCertificate?
    }

    let x509: OpaquePointer
    let key: OpaquePointer

    init(_ change: (inout Wish) -> Void = { _ in }) throws {
        var wish = Wish()
        change(&wish)
        key = try Self.newKey()
        x509 = try #require(X509_new())
        X509_set_version(x509, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(x509), .random(in: 1...Int(Int32.max)))
        X509_gmtime_adj(X509_getm_notBefore(x509), wish.days.lowerBound * 86_400)
        X509_gmtime_adj(X509_getm_notAfter(x509), wish.days.upperBound * 86_400)
        X509_set_pubkey(x509, key)
        let subject = X509_get_subject_name(x509)
        // MBSTRING_ASC, which Swift doesn't see.
        X509_NAME_add_entry_by_txt(subject, "CN", 0x1001, wish.isAuthority ? "Test Authority" : "A Pool", -1, -1, 0)
        X509_set_issuer_name(x509, wish.issuer.map { X509_get_subject_name($0.x509) } ?? subject)
        if wish.isAuthority { try extend(NID_basic_constraints, "critical,CA:TRUE") }
        if !wish.names.isEmpty { try extend(NID_subject_alt_name, wish.names) }
        #expect(X509_sign(x509, wish.issuer?.key ?? key, nil) > 0)
    }

    deinit {
        X509_free(x509)
        EVP_PKEY_free(key)
    }

    private static func newKey() throws -> OpaquePointer {
        let context = try #require(EVP_PKEY_CTX_new_id(NID_ED25519, nil))
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        #expect(EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_keygen(context, &key) == 1)
        return try #require(key)
    }

    private func extend(_ kind: Int32, _ value: String) throws {
        let addition = try #require(X509V3_EXT_conf_nid(nil, nil, kind, value))
        defer { X509_EXTENSION_free(addition) }
        X509_add_ext(x509, addition, -1)
    }

    /// The SHA-256 of its DER form, as the product prints it.
    var fingerprint: String {
        var bytes = [UInt8](repeating: 0, count: 32)
        X509_digest(x509, EVP_sha256(), &bytes, nil)
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The text of a file that holds it.
    var pem: [UInt8] {
        guard let sink = BIO_new(BIO_s_mem()) else { return [] }
        defer { BIO_free(sink) }
        PEM_write_bio_X509(sink, x509)
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(sink))
        BIO_read(sink, &bytes, Int32(bytes.count))
        return bytes
    }

    /// A policy that trusts this authority alone, as read from a file.
    func policy() throws -> TLSPolicy { .authorities(try Self.authorities(in: pem)) }

    /// What the product reads from a file of `bytes`.
    static func authorities(in bytes: [UInt8]) throws -> CertificateAuthorities {
        let path = FileManager.default.temporaryDirectory.path + "/blocminer-\(UUID().uuidString).pem"
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try CertificateAuthorities(file: path)
    }
}
