/// A 32-byte hash, in byte order.
public struct Digest: Hashable, Sendable {
    /// Bytes in a digest.
    public static let byteCount = 32

    /// The digest as four 64-bit words, each little-endian: word 3 holds bytes 24…31, the most significant ones.
    public let words: SIMD4<UInt64>

    /// The digest of these words.
    public init(words: SIMD4<UInt64>) { self.words = words }

    /// The digest of exactly 32 `bytes`; nil for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
        }
        self.words = words
    }

    /// The digest that 64 hex digits spell; nil for any other text.
    public init?(hex: some StringProtocol) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The 32 bytes in order.
    public var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8)) }
    }

    /// 64 lower-case digits, as pools compare them.
    public var hex: String { Hex.encode(bytes) }
}

extension Digest: CustomStringConvertible {
    /// The 64 hex digits.
    public var description: String { hex }
}
