internal import MiningWork

/// The SHA-256 of a certificate's DER form: names one certificate. Printed as 64 lower-case hex digits.
public struct CertificateFingerprint: Hashable, Sendable {
    static let byteCount = 32

    private let bytes: [UInt8]

    /// Reads 64 hex digits in any case, together or in pairs with colons between them.
    public init(parsing text: some StringProtocol) throws(CertificateFingerprintError) {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 1 || pairs.allSatisfy({ $0.utf8.count == 2 }) else { throw .misplacedColon }
        let digits = pairs.joined()
        guard digits.utf8.count == 2 * Self.byteCount else { throw .length(digits: digits.utf8.count) }
        guard let bytes = Hex.decode(digits) else { throw .notHex }
        self.bytes = bytes
    }

    /// The fingerprint with these 32 bytes.
    init(bytes: [UInt8]) { self.bytes = bytes }
}

extension CertificateFingerprint: CustomStringConvertible {
    /// 64 lower-case hex digits.
    public var description: String { Hex.encode(bytes) }
}

/// Why a text is no certificate's fingerprint.
public enum CertificateFingerprintError: Error, Hashable, Sendable {
    /// There are more or fewer than 64 digits.
    case length(digits: Int)
    /// There are colons, but not one after each pair of digits.
    case misplacedColon
    /// There is something other than hex digits and colons in it.
    case notHex
}

extension CertificateFingerprintError: CustomStringConvertible {
    /// What is wrong, and what to write.
    public var description: String {
        switch self {
        case .length(let digits): "a SHA-256 fingerprint has 64 hex digits; this has \(digits)"
        case .misplacedColon: "the colons of a fingerprint stand between pairs of hex digits, as in 3F:0A:…"
        case .notHex: "a SHA-256 fingerprint consists of 64 hex digits, perhaps with colons between pairs"
        }
    }
}
