/// CryptoNote's base58: every 8 bytes, as a big-endian number, become 11 digits.
enum Base58 {
    /// Digits that spell one block.
    static let blockDigits = 11
    /// Bytes in one block.
    static let blockBytes = 8

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".unicodeScalars)
    private static let values = Dictionary(uniqueKeysWithValues: zip(alphabet, UInt64(0)...))

    /// The value of a digit, 0…57; nil for a character outside the alphabet.
    static func value(of digit: Unicode.Scalar) -> UInt64? { values[digit] }

    /// The 8 bytes of one block of digit `values`; nil where the number exceeds 64 bits.
    static func bytes(ofBlock values: some Sequence<UInt64>) -> [UInt8]? {
        var number: UInt64 = 0
        for value in values {
            let (product, tooLarge) = number.multipliedReportingOverflow(by: 58)
            let (sum, carry) = product.addingReportingOverflow(value)
            guard !tooLarge, !carry else { return nil }
            number = sum
        }
        return (0..<blockBytes).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (blockBytes - 1 - $0))) }
    }
}
