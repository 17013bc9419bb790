import COpenSSL
import Glibc

/// OpenSSL can't be set up: it lacks memory, or its configuration is broken.
struct TLSSetupFailure: Error, Hashable {
    let reason: String
}

/// The client's side of a TLS connection between two memory buffers: OpenSSL sees neither socket nor clock.
///
/// Used on one queue.
final class TLSEngine {
    /// Most bytes of a record, and so of one read.
    private static let recordBytes = 16384
    /// The process may end while connections are open: OpenSSL must not tidy up below them.
    private static let isInitialised = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    private let ssl: OpaquePointer
    private let fromPeer: OpaquePointer
    private let toPeer: OpaquePointer
    private let judge: CertificateJudge
    private let policy: TLSPolicy
    private let host: String
    /// What the handshake came to, once it is over.
    private(set) var security: TLSSecurity?

    /// An engine that hasn't begun its handshake with `host`, a name or a numeric address.
    init(_ policy: TLSPolicy, host: String) throws(TLSSetupFailure) {
        ERR_clear_error()
        self.policy = policy
        self.host = host
        judge = CertificateJudge(policy, host: host)
        guard Self.isInitialised, let context = SSL_CTX_new(TLS_client_method()) else { throw .last }
        defer { SSL_CTX_free(context) }
        guard Self.configure(context, policy, judge), let ssl = SSL_new(context) else { throw .last }
        guard Self.name(host, for: ssl), let fromPeer = BIO_new(BIO_s_mem()), let toPeer = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .last
        }
        SSL_set_bio(ssl, fromPeer, toPeer)
        SSL_set_connect_state(ssl)
        (self.ssl, self.fromPeer, self.toPeer) = (ssl, fromPeer, toPeer)
    }

    deinit { SSL_free(ssl) }

    /// Takes what the peer sent, which may be nothing yet, and goes on as far as that allows.
    func take(_ bytes: [UInt8]) -> ByteLayerOutput {
        ERR_clear_error()
        var output = ByteLayerOutput()
        guard bytes.isEmpty || BIO_write(fromPeer, bytes, Int32(bytes.count)) == bytes.count else {
            return ByteLayerOutput(end: "TLS: no memory")
        }
        if security == nil { output.end = shakeHands() }
        if security != nil { read(into: &output) }
        output.toPeer = drain()
        return output
    }

    /// Encrypts what the owner sends.
    func put(_ bytes: [UInt8]) -> ByteLayerOutput {
        ERR_clear_error()
        let isDone = bytes.isEmpty || SSL_write(ssl, bytes, Int32(bytes.count)) == bytes.count
        return ByteLayerOutput(toPeer: drain(), end: isDone ? nil : "TLS: \(Self.lastError)")
    }

    /// What tells the peer, once, that nothing more comes.
    func close() -> [UInt8] {
        ERR_clear_error()
        if security != nil { SSL_shutdown(ssl) }
        return drain()
    }
}

// The handshake.
extension TLSEngine {
    private static func configure(_ context: OpaquePointer, _ policy: TLSPolicy, _ judge: CertificateJudge) -> Bool {
        guard copenssl_set_oldest_version(context, TLS1_2_VERSION) == 1 else { return false }
        copenssl_forbid_renegotiation(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let argument = Unmanaged.passUnretained(judge).toOpaque()
        SSL_CTX_set_cert_verify_callback(
            context,
            { chain, argument in
                guard let chain, let argument else { return 0 }
                return Unmanaged<CertificateJudge>.fromOpaque(argument).takeUnretainedValue().judge(chain) ? 1 : 0
            },
            argument
        )
        switch policy {
        case .systemAuthorities: return SSL_CTX_set_default_verify_paths(context) == 1
        case .authorities(let authorities): return add(authorities, to: context)
        case .pinned, .insecure: return true
        }
    }

    private static func add(_ authorities: CertificateAuthorities, to context: OpaquePointer) -> Bool {
        let store = SSL_CTX_get_cert_store(context)
        // A file may hold the pool's own certificate, or an authority that another has signed.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        return authorities.certificates.allSatisfy { der in
            der.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                guard let certificate = d2i_X509(nil, &start, buffer.count) else { return false }
                defer { X509_free(certificate) }
                return X509_STORE_add_cert(store, certificate) == 1
            }
        }
    }

    /// Says whose certificate is wanted; a name is also sent, for servers of several.
    private static func name(_ host: String, for ssl: OpaquePointer) -> Bool {
        let host = String(host.prefix { $0 != "%" })
        let parameters = SSL_get0_param(ssl)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1 && copenssl_set_server_name(ssl, name) == 1
    }

    /// Why the handshake has failed; nil while it goes on, and when it is over.
    private func shakeHands() -> String? {
        let outcome = SSL_do_handshake(ssl)
        guard outcome == 1 else {
            let error = SSL_get_error(ssl, outcome)
            guard error != SSL_ERROR_WANT_READ, error != SSL_ERROR_WANT_WRITE else { return nil }
            return judge.refusal ?? Self.handshakeWords
        }
        guard let fingerprint = judge.accepted else { return "TLS: the pool's certificate was not judged" }
        let version = String(cString: SSL_get_version(ssl)).replacing("TLSv", with: "TLS ")
        security = TLSSecurity(version: version, policy: policy, host: host, fingerprint: fingerprint)
        return nil
    }

    /// What went wrong in the handshake, apart from the certificate.
    private static var handshakeWords: String {
        switch ERR_GET_REASON(ERR_peek_error()) {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            "the pool's TLS is too old: 1.2 or 1.3 is needed"
        default: "the TLS handshake failed: \(lastError)"
        }
    }
}

// The bytes.
extension TLSEngine {
    private func read(into output: inout ByteLayerOutput) {
        while output.end == nil {
            var outcome: Int32 = 0
            output.fromPeer += [UInt8](unsafeUninitializedCapacity: Self.recordBytes) { buffer, count in
                outcome = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                count = Int(max(0, outcome))
            }
            guard outcome <= 0 else { continue }
            switch SSL_get_error(ssl, outcome) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
            case SSL_ERROR_ZERO_RETURN: output.end = "closed by the pool"
            default: output.end = "TLS: \(Self.lastError)"
            }
        }
    }

    /// Everything that is to go to the peer.
    private func drain() -> [UInt8] {
        let waiting = BIO_ctrl_pending(toPeer)
        return [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
            count = waiting == 0 ? 0 : Int(max(0, BIO_read(toPeer, buffer.baseAddress, Int32(waiting))))
        }
    }

    /// OpenSSL's oldest error of this thread, in its words.
    fileprivate static var lastError: String {
        guard let words = ERR_reason_error_string(ERR_peek_error()) else { return "unknown error" }
        return String(cString: words)
    }
}

extension TLSSetupFailure {
    static var last: TLSSetupFailure { TLSSetupFailure(reason: "OpenSSL can't be set up: \(TLSEngine.lastError)") }
}
