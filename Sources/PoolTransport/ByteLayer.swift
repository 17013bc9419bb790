/// What a layer passes on in either direction.
struct ByteLayerOutput: Hashable {
    /// Goes to the socket.
    var toPeer: [UInt8] = []
    /// Goes on to the lines.
    var fromPeer: [UInt8] = []
    /// Why the connection is over once these bytes are passed on, in words for the log; nil: it goes on.
    var end: String?
}

/// What lies between the socket's bytes and the lines: a value without socket or clock, bytes in and bytes out. An
/// encryption or a proxy's greeting goes here.
protocol ByteLayer {
    /// Whether the greeting is over: only then are lines sent and is the connection reported as connected.
    var isReady: Bool { get }
    /// Whom the socket speaks with at this point; nil: the one whom the owner wants to speak with.
    var speaker: String? { get }
    /// When an end of the socket comes at this point: the rest of a sentence that begins with what happened to it.
    var circumstance: String { get }
    /// What TLS came to; nil without TLS, and before its handshake is over.
    var security: TLSSecurity? { get }
    /// The socket is connected.
    mutating func connected() -> ByteLayerOutput
    /// The peer sent `bytes`.
    mutating func received(_ bytes: [UInt8]) -> ByteLayerOutput
    /// The owner sends `bytes`. Called only when ready.
    mutating func sent(_ bytes: [UInt8]) -> ByteLayerOutput
    /// The owner sends nothing more. Returns what the peer is told, once.
    mutating func farewell() -> [UInt8]
}

extension ByteLayer {
    var speaker: String? { nil }
    var circumstance: String { "" }
    var security: TLSSecurity? { nil }
    func farewell() -> [UInt8] { [] }
}

/// Plain TCP: nothing between socket and lines.
struct PlainLayer: ByteLayer {
    /// Whether the peer is a pool of which nothing has shown yet that it speaks without TLS.
    var mayWantTLS = false

    var isReady: Bool { true }
    var circumstance: String {
        mayWantTLS ? " before it sent anything; it may want TLS (--tls, stratum+ssl://) or another login" : ""
    }

    func connected() -> ByteLayerOutput { ByteLayerOutput() }

    mutating func received(_ bytes: [UInt8]) -> ByteLayerOutput {
        let isFirst = mayWantTLS
        mayWantTLS = false
        guard isFirst, bytes.first == TLSRecord.alert else { return ByteLayerOutput(fromPeer: bytes) }
        return ByteLayerOutput(end: "the pool speaks TLS on this port: use --tls or stratum+ssl://")
    }

    func sent(_ bytes: [UInt8]) -> ByteLayerOutput { ByteLayerOutput(toPeer: bytes) }
}

/// The first byte of a TLS record, which is its type.
enum TLSRecord {
    static let alert: UInt8 = 0x15
    static let handshake: UInt8 = 0x16
}
