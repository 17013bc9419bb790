internal import CHashKernels
public import MiningWork

/// Keccak-256 with the original padding (0x01): CryptoNote's hash for ids, checksums and trees ("cn_fast_hash").
public enum Keccak256 {
    /// The digest of `bytes`, of any length.
    public static func digest(of bytes: [UInt8]) -> Digest {
        var words = SIMD4<UInt64>()
        withUnsafeMutableBytes(of: &words) { output in
            guard let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            chk_keccak256(start, bytes, bytes.count)
        }
        return Digest(words: words)
    }
}
