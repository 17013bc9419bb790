/// The four bytes that a miner varies in a hashing blob, as a little-endian number.
public struct Nonce: Hashable, Sendable {
    /// Where the nonce lies in a hashing blob: bytes 39…42.
    public static let offset = 39
    /// Bytes in a nonce.
    public static let byteCount = 4

    /// The number; its lowest byte stands first in the blob.
    public let value: UInt32

    /// The nonce of this number.
    public init(_ value: UInt32) { self.value = value }

    /// Its bytes in blob order.
    public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) } }

    /// Eight hex digits in blob order: nonce 1 is "01000000".
    public var hex: String { Hex.encode(bytes) }
}

/// The nonces that a miner may use for a job.
public enum NonceSpace: Hashable, Sendable {
    /// All 32 bits.
    case full
    /// The low 24 bits; byte 42 stays as the pool or proxy set it, so that 256 miners share one blob (NiceHash mode).
    case low24(fixed: UInt8)
    /// Those in the range, as numbers: what a host leaves to this miner.
    case range(ClosedRange<UInt32>)

    /// How many nonces there are.
    public var count: UInt64 {
        switch self {
        case .full: 1 << 32
        case .low24: 1 << 24
        case .range(let range): UInt64(range.upperBound - range.lowerBound) + 1
        }
    }

    /// The `counter`-th nonce; nil from `count` on, so that a counter never wraps.
    public func nonce(at counter: UInt64) -> Nonce? {
        guard counter < count else { return nil }
        return switch self {
        case .full: Nonce(UInt32(truncatingIfNeeded: counter))
        case .low24(let fixed): Nonce(UInt32(fixed) << 24 | UInt32(truncatingIfNeeded: counter))
        case .range(let range): Nonce(range.lowerBound + UInt32(truncatingIfNeeded: counter))
        }
    }
}
