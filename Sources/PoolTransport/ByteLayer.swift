/// Why a layer gives the connection up.
struct ByteLayerFailure: Error, Hashable {
    /// In words, for the log.
    let reason: String
}

/// What a layer passes on in either direction.
struct ByteLayerOutput: Hashable {
    /// Goes to the socket.
    var toPeer: [UInt8] = []
    /// Goes on to the lines.
    var fromPeer: [UInt8] = []
}

/// What lies between the socket's bytes and the lines: a value without socket or clock, bytes in and bytes out. An
/// encryption or a proxy's greeting goes here.
protocol ByteLayer {
    /// Whether the greeting is over: only then are lines sent and is the connection reported as connected.
    var isReady: Bool { get }
    /// The socket is connected.
    mutating func connected() throws(ByteLayerFailure) -> ByteLayerOutput
    /// The peer sent `bytes`.
    mutating func received(_ bytes: [UInt8]) throws(ByteLayerFailure) -> ByteLayerOutput
    /// The owner sends `bytes`. Called only when ready.
    mutating func sent(_ bytes: [UInt8]) throws(ByteLayerFailure) -> ByteLayerOutput
}

/// Plain TCP: nothing between socket and lines.
struct PlainLayer: ByteLayer {
    var isReady: Bool { true }

    func connected() -> ByteLayerOutput { ByteLayerOutput() }
    func received(_ bytes: [UInt8]) -> ByteLayerOutput { ByteLayerOutput(fromPeer: bytes) }
    func sent(_ bytes: [UInt8]) -> ByteLayerOutput { ByteLayerOutput(toPeer: bytes) }
}
