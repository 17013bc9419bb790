import COpenSSL
import Glibc
import MiningWork

/// A look at a certificate that OpenSSL owns.
struct Certificate {
    private let x509: OpaquePointer

    init(_ x509: OpaquePointer) { self.x509 = x509 }

    var der: [UInt8] {
        let byteCount = i2d_X509(x509, nil)
        guard byteCount > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(byteCount)) { buffer, count in
            var end = buffer.baseAddress
            count = i2d_X509(x509, &end) == byteCount ? Int(byteCount) : 0
        }
    }

    var fingerprint: CertificateFingerprint? {
        var byteCount: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            let isDone = X509_digest(x509, EVP_sha256(), buffer.baseAddress, &byteCount) == 1
            count = isDone ? Int(byteCount) : 0
        }
        return bytes.count == CertificateFingerprint.byteCount ? CertificateFingerprint(bytes: bytes) : nil
    }

    /// The first and the last day on which it holds, as in 2026-01-31, in UTC.
    var firstDay: String { Self.day(X509_get0_notBefore(x509)) }
    var lastDay: String { Self.day(X509_get0_notAfter(x509)) }

    /// Whose it is by its own account: the alternative names, or the subject where there are none.
    var names: String {
        let index = X509_get_ext_by_NID(x509, NID_subject_alt_name, -1)
        guard index >= 0, let names = X509_get_ext(x509, index) else { return subject }
        return Self.printable { X509V3_EXT_print($0, names, 0, 0) }
    }

    private var subject: String { Self.printable { copenssl_print_name($0, X509_get_subject_name(x509)) } }

    /// What `print` writes, as untrusted text may be shown.
    private static func printable(_ print: (OpaquePointer) -> Int32) -> String {
        guard let sink = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(sink) }
        _ = print(sink)
        let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = Int(max(0, BIO_read(sink, buffer.baseAddress, Int32(buffer.count))))
        }
        return PeerText.printable(String(decoding: bytes, as: UTF8.self), limit: 80)
    }

    private static func day(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unknown day" }
        return [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: "-")
    }
}
