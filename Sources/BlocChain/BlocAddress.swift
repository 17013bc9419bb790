import CryptoNight
import MiningWork

/// The address of a BLOC wallet: 99 base58 digits that hold the network prefix, two public keys and a checksum.
///
/// The keys are not proved to be points of the curve: the checksum already catches a slip of the pen, and who makes a
/// checksum on purpose cheats nobody but himself.
public struct BlocAddress: Hashable, Sendable {
    /// What every address starts with.
    public static let marker = "abLoc"
    /// Characters in an address.
    public static let characterCount = 99
    /// The number that the coin's addresses carry in front of their keys.
    public static let networkPrefix: UInt64 = 249_588_424

    /// `networkPrefix` as a varint.
    private static let prefixBytes: [UInt8] = [0xC8, 0xD5, 0x81, 0x77]
    private static let checksumBytes = 4
    private static let payoutSchemes = ["solo:", "prop:"]

    /// The 99 characters.
    public let text: String

    /// Checks `text`, which must be an address and nothing besides.
    public init(_ text: some StringProtocol) throws(AddressError) {
        let bytes = try Self.decode(Array(text.unicodeScalars))
        let (body, checksum) = (Array(bytes.dropLast(Self.checksumBytes)), bytes.suffix(Self.checksumBytes))
        guard checksum.elementsEqual(Keccak256.digest(of: body).bytes.prefix(Self.checksumBytes)) else {
            throw .checksum
        }
        guard body.starts(with: Self.prefixBytes) else { throw .network }
        self.text = String(text)
    }

    /// What stands for an address in a pool's user string, checked or not: from `abLoc`, at the start or after `solo:` or
    /// `prop:`, to the first ASCII character that is neither letter nor digit. nil where there is no `abLoc`: the string
    /// isn't about BLOC.
    ///
    /// What follows (`.5000`, `+` and a payment id, `.worker`) is between the user and the pool.
    public static func find(in userString: String) -> Substring? {
        let scheme = payoutSchemes.first { userString.lowercased().hasPrefix($0) }
        let rest = userString.unicodeScalars.dropFirst(scheme?.unicodeScalars.count ?? 0)
        guard rest.starts(with: marker.unicodeScalars) else { return nil }
        return Substring(rest.prefix { !isSeparator($0) })
    }

    /// The address in a pool's user string; nil where there is none. Whatever starts with `abLoc` is taken for an address,
    /// however short: better to refuse half an address than to mine to it.
    @discardableResult
    public static func check(_ userString: String) throws(AddressError) -> BlocAddress? {
        guard let candidate = find(in: userString) else { return nil }
        return try BlocAddress(candidate)
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z": false
        default: scalar.isASCII
        }
    }

    /// The 72 bytes behind the digits. A wrong character is named before a wrong length.
    private static func decode(_ scalars: [Unicode.Scalar]) throws(AddressError) -> [UInt8] {
        var values: [UInt64] = []
        for (index, scalar) in scalars.prefix(characterCount).enumerated() {
            guard let value = Base58.value(of: scalar) else { throw .character(scalar, position: index + 1) }
            values.append(value)
        }
        guard scalars.count == characterCount else { throw .length(characters: scalars.count) }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: characterCount, by: Base58.blockDigits) {
            let end = start + Base58.blockDigits
            guard let block = Base58.bytes(ofBlock: values[start..<end]) else {
                throw .block(positions: start + 1...end)
            }
            bytes += block
        }
        return bytes
    }
}
