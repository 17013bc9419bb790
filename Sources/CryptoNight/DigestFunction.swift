internal import CHashKernels

/// A digest function of the kernels by itself, to be timed: Keccak-256, or one of the four that close a hash.
package struct DigestFunction: Sendable {
    /// Such as "groestl256".
    package let name: String
    private let index: Int

    /// Every function.
    package static let all: [DigestFunction] = (0..<chk_digest_function_count()).compactMap { index in
        chk_digest_function_name(index).map { DigestFunction(name: String(cString: $0), index: index) }
    }

    /// The digest of `input`, 32 bytes.
    package func digest(of input: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CHK_DIGEST_BYTES))
        _ = chk_digest_function_run(index, &digest, input, input.count)
        return digest
    }
}
