import COpenSSL
import Dispatch
import Glibc
import PoolTransport

/// A server on a free port of 127.0.0.1 that treats each connection by a script, on a thread of its own.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init(_ script: @escaping @Sendable (ScriptedPeer) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = getsockname(listener, $0, &size)
            }
        }
        _ = listen(listener, 16)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "scripted server").async {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                DispatchQueue(label: "scripted peer").async { script(ScriptedPeer(descriptor)) }
            }
            close(listener)
        }
    }

    /// Ends the thread that accepts, which then closes the port.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// The server's side of one connection: blocking, ten seconds at most, and perhaps with TLS from some point on. It
/// closes when it is released. Used on one thread.
final class ScriptedPeer {
    private let descriptor: Int32
    private var ssl: OpaquePointer?
    /// The name that the client asked for by TLS.
    private(set) var serverName: String?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var immediately: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &immediately, 4)
    }

    deinit {
        SSL_free(ssl)
        close(descriptor)
    }

    /// Greets by TLS. Whether the client agreed.
    func startTLS(
        _ certificate: TestCertificate,
        chain: [TestCertificate] = [],
        versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION
    ) -> Bool {
        guard let context = SSL_CTX_new(TLS_server_method()) else { return false }
        defer { SSL_CTX_free(context) }
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(versions.lowerBound), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(versions.upperBound), nil)
        if versions.lowerBound < TLS1_2_VERSION { SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0") }
        SSL_CTX_use_certificate(context, certificate.x509)
        SSL_CTX_use_PrivateKey(context, certificate.key)
        for link in chain { SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(link.x509)) }
        ssl = SSL_new(context)
        SSL_set_fd(ssl, descriptor)
        guard SSL_accept(ssl) == 1 else { return false }
        serverName = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
        return true
    }

    /// Up to `limit` bytes; none at the end.
    func read(upTo limit: Int = 65536) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count =
                if let ssl {
                    Int(max(0, SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))))
                } else {
                    max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
                }
        }
    }

    /// Exactly `count` bytes, or fewer at the end.
    func read(exactly count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = read(upTo: count - bytes.count)
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    /// Whether the client has ended TLS in an orderly way.
    var hasHeardFarewell: Bool { ssl.map { SSL_get_shutdown($0) & SSL_RECEIVED_SHUTDOWN != 0 } ?? false }

    /// Sends by TLS if that has begun.
    func write(_ bytes: [UInt8]) {
        if let ssl {
            _ = bytes.isEmpty ? 0 : SSL_write(ssl, bytes, Int32(bytes.count))
        } else {
            writeRaw(bytes)
        }
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Sends past TLS.
    func writeRaw(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Ends TLS in an orderly way.
    func sayFarewell() { if let ssl { SSL_shutdown(ssl) } }
}
