internal import BlocMiner
internal import CBlocMiner

/// One input that C wants hashed.
struct HashRequest {
    /// Longer ones are refused: no block's hashing blob comes near.
    private static let longestInput = 1 << 24

    private let variant: HashVariant
    private let input: HashInput

    init(
        algorithm: UnsafePointer<CChar>?,
        input: UnsafeRawPointer?,
        bytes: Int,
        height: UInt64
    ) throws(ABIError) {
        variant = try AlgorithmTable.variant(named: algorithm)
        guard let input else { throw .null("input") }
        guard (0...Self.longestInput).contains(bytes) else {
            throw .invalidArgument("input_bytes is beyond \(Self.longestInput)")
        }
        self.input = HashInput(
            Array(UnsafeRawBufferPointer(start: input, count: bytes)),
            height: variant.algorithm.needsHeight ? height : nil
        )
    }

    func digest() throws(ABIError) -> Digest {
        do { return try variant.digest(of: input.bytes, height: input.height) } catch { throw ABIError(error) }
    }
}

extension Digest {
    /// Puts the 32 bytes at `pointer`.
    func write(to pointer: UnsafeMutablePointer<UInt8>) {
        for (index, byte) in bytes.enumerated() { pointer[index] = byte }
    }
}
