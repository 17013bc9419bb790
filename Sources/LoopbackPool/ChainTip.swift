/// Where the pretended chain stands: what the next block builds on.
struct ChainTip: Hashable, Sendable {
    /// The id of BLOC's first block.
    static let genesisID: [UInt8] = [
        0xac, 0xd5, 0x68, 0x24, 0x03, 0x28, 0x7a, 0xd2, 0x5d, 0x94, 0x76, 0x9a, 0xdb, 0x80, 0xfb, 0xcd,
        0x45, 0xde, 0x59, 0x1e, 0xcf, 0xd5, 0xc8, 0x6d, 0x51, 0x76, 0xbb, 0x9a, 0x10, 0xff, 0x5b, 0xaa,
    ]

    /// The height of the block to be mined.
    var height: UInt64
    /// The id of the block before it, 32 bytes.
    var previousID: [UInt8]
    /// Seconds since 1970.
    var timestamp: UInt64

    /// The hashing blob of a block of version 5 with only a coinbase transaction, whose hash is `root`: 76 bytes, the
    /// nonce zero but for its highest byte.
    func hashingBlob(root: [UInt8], highNonceByte: UInt8) -> [UInt8] {
        [5, 0] + Self.varint(timestamp) + previousID + [0, 0, 0, highNonceByte] + root + [1]
    }

    /// Seven bits a byte, the low ones first. Kept to the five bytes that times from 1978 to 3058 take.
    private static func varint(_ timestamp: UInt64) -> [UInt8] {
        let kept = min(max(timestamp, 1 << 28), 1 << 35 - 1)
        return (0..<5).map { index in
            UInt8(truncatingIfNeeded: kept >> UInt64(index * 7)) & 0x7f | (index < 4 ? 0x80 : 0)
        }
    }
}
