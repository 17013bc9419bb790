internal import COpenSSL
internal import Glibc
internal import MiningWork

/// Certificates of authorities, read from a file in the PEM form.
public struct CertificateAuthorities: Hashable, Sendable {
    /// Most bytes of a file that is read.
    static let longestFile = 16 << 20

    /// The file, as it was named.
    public let path: String
    /// Each certificate in the DER form.
    let certificates: [[UInt8]]

    /// Reads the certificates of the file at `path`. It is not read again later.
    public init(file path: String) throws(CertificateFileError) {
        self.path = path
        certificates = Self.certificates(in: try Self.bytes(of: path))
        guard !certificates.isEmpty else { throw CertificateFileError(path: path, reason: "holds no PEM certificate") }
    }

    private static func bytes(of path: String) throws(CertificateFileError) -> [UInt8] {
        // A pipe that nobody writes to must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CertificateFileError(path: path, reason: "is not an ordinary file")
        }
        guard status.st_size <= longestFile else {
            throw CertificateFileError(path: path, reason: "has more than \(longestFile >> 20) MiB")
        }
        return try contents(of: descriptor, byteCount: Int(status.st_size), path)
    }

    private static func contents(
        of descriptor: Int32,
        byteCount: Int,
        _ path: String
    ) throws(CertificateFileError) -> [UInt8] {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            while count < byteCount {
                let got = read(descriptor, buffer.baseAddress?.advanced(by: count), byteCount - count)
                hasFailed = got < 0
                guard got > 0 else { break }
                count += got
            }
        }
        guard !hasFailed else { throw .unreadable(path) }
        return bytes
    }

    private static func certificates(in bytes: [UInt8]) -> [[UInt8]] {
        bytes.withUnsafeBytes { buffer in
            guard let source = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return [] }
            defer { BIO_free(source) }
            var certificates: [[UInt8]] = []
            // Without a passphrase at hand, OpenSSL would ask the terminal for one.
            while let certificate = PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil) {
                certificates.append(Certificate(certificate).der)
                X509_free(certificate)
            }
            // The reader ends on an error: there is no further certificate.
            ERR_clear_error()
            return certificates
        }
    }
}

/// Why no authorities can be had from a file.
public struct CertificateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    static func unreadable(_ path: String) -> CertificateFileError {
        CertificateFileError(path: path, reason: "can't be read: \(SystemError.last.words(peer: "system"))")
    }

    /// What is wrong with which file.
    public var description: String { "the file \(PeerText.printable(path)) \(reason)" }
}
