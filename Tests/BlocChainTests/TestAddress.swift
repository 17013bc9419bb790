import CryptoNight
import MiningTestKit
import MiningWork

/// Addresses for tests: real ones, and such as only a test can make.
enum TestAddress {
    static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")

    /// Six addresses that a daemon accepted.
    static func accepted() throws -> [String] {
        try TestData.vectors.json([String].self, of: "bloc-addresses.json")
    }

    /// An address with these bytes in front, keys of `fill`, and a fitting checksum.
    static func made(prefix: [UInt8], fill: UInt8 = 7) -> String {
        let body = prefix + [UInt8](repeating: fill, count: 64)
        let bytes = body + Keccak256.digest(of: body).bytes.prefix(4)
        return stride(from: 0, to: bytes.count, by: 8).map { digits(of: bytes[$0..<min($0 + 8, bytes.count)]) }.joined()
    }

    private static func digits(of block: ArraySlice<UInt8>) -> String {
        var number = block.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var digits: [Character] = []
        while digits.count < 11 {
            digits.append(alphabet[Int(number % 58)])
            number /= 58
        }
        return String(digits.reversed())
    }
}
