/// A SOCKS5 proxy's greeting, and after it another layer, which speaks with the pool.
struct ProxyLayer: ByteLayer {
    private var greeting: SOCKS5Greeting
    private var inner: any ByteLayer

    init(_ greeting: SOCKS5Greeting, then inner: any ByteLayer) {
        self.greeting = greeting
        self.inner = inner
    }

    var isReady: Bool { greeting.isOver && inner.isReady }
    var speaker: String? { greeting.isOver ? inner.speaker : "proxy" }
    var security: TLSSecurity? { inner.security }
    var circumstance: String {
        guard !greeting.isOver else { return inner.circumstance }
        return greeting.isConnecting ? " before the proxy had reached the pool" : " during the proxy's greeting"
    }

    func connected() -> ByteLayerOutput { ByteLayerOutput(toPeer: greeting.opening) }

    mutating func received(_ bytes: [UInt8]) -> ByteLayerOutput {
        guard !greeting.isOver else { return inner.received(bytes) }
        do throws(SOCKS5Refusal) {
            let step = try greeting.received(bytes)
            return ByteLayerOutput(toPeer: step.answer) + (greeting.isOver ? begin(with: step.rest) : ByteLayerOutput())
        } catch {
            return ByteLayerOutput(end: error.reason)
        }
    }

    mutating func sent(_ bytes: [UInt8]) -> ByteLayerOutput { inner.sent(bytes) }

    mutating func farewell() -> [UInt8] { greeting.isOver ? inner.farewell() : [] }

    private mutating func begin(with bytes: [UInt8]) -> ByteLayerOutput {
        let first = inner.connected()
        return first.end == nil && !bytes.isEmpty ? first + inner.received(bytes) : first
    }
}

extension ByteLayerOutput {
    /// Both, one after the other.
    static func + (first: ByteLayerOutput, second: ByteLayerOutput) -> ByteLayerOutput {
        ByteLayerOutput(
            toPeer: first.toPeer + second.toPeer,
            fromPeer: first.fromPeer + second.fromPeer,
            end: first.end ?? second.end
        )
    }
}
