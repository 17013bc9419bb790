import MiningWork

/// TLS between socket and lines.
struct TLSLayer: ByteLayer {
    private let policy: TLSPolicy
    private let host: String
    private var engine: TLSEngine?
    private var hasHeardTLS = false

    /// TLS with `host`, which proves itself by `policy`.
    init(_ policy: TLSPolicy, host: String) {
        self.policy = policy
        self.host = host
    }

    var isReady: Bool { security != nil }
    var security: TLSSecurity? { engine?.security }
    var circumstance: String {
        guard !isReady else { return "" }
        return " during the TLS handshake" + (hasHeardTLS ? "" : "; perhaps the port is without TLS (stratum+tcp://)")
    }

    mutating func connected() -> ByteLayerOutput {
        do throws(TLSSetupFailure) {
            let engine = try TLSEngine(policy, host: host)
            self.engine = engine
            return engine.take([])
        } catch {
            return ByteLayerOutput(end: error.reason)
        }
    }

    mutating func received(_ bytes: [UInt8]) -> ByteLayerOutput {
        guard let engine, let first = bytes.first else { return ByteLayerOutput() }
        guard hasHeardTLS || first == TLSRecord.handshake || first == TLSRecord.alert else {
            return ByteLayerOutput(end: Self.complaint(aboutPlain: bytes))
        }
        hasHeardTLS = true
        return engine.take(bytes)
    }

    func sent(_ bytes: [UInt8]) -> ByteLayerOutput { engine?.put(bytes) ?? ByteLayerOutput() }

    func farewell() -> [UInt8] { engine?.close() ?? [] }

    private static func complaint(aboutPlain bytes: [UInt8]) -> String {
        guard !bytes.starts(with: "HTTP/".utf8) else {
            return "an HTTP server answers on this port, without TLS, not a Stratum pool"
        }
        let words = PeerText.printable(String(decoding: bytes.prefix(120), as: UTF8.self), limit: 40)
        return "the pool speaks without TLS on this port: use stratum+tcp://; it said \"\(words)\""
    }
}
