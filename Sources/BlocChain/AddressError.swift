import MiningWork

/// Why a BLOC address is refused. Positions count the address's characters from 1, leaving out a `solo:` or `prop:`.
public enum AddressError: Error, Hashable, Sendable {
    /// A character that base58 doesn't have, such as 0, O, I and l.
    case character(Unicode.Scalar, position: Int)
    /// Too few or too many characters before the first separator.
    case length(characters: Int)
    /// A block of characters that spells a number beyond 64 bits.
    case block(positions: ClosedRange<Int>)
    /// Well-formed, but the checksum in the last bytes contradicts the rest.
    case checksum
    /// Undamaged, but the address of another coin.
    case network
}

extension AddressError: CustomStringConvertible {
    /// The refusal in words. It shows no more of the address than one character.
    public var description: String {
        switch self {
        case .character(let scalar, let position):
            "character \(position) \(Self.shown(scalar)) is not in the base58 alphabet"
        case .length(let characters):
            "the address has \(characters) characters, expected \(BlocAddress.characterCount)"
        case .block(let positions):
            "the address is mistyped somewhere in characters \(positions.lowerBound) to \(positions.upperBound)"
        case .checksum:
            "the address doesn't match its checksum: a character somewhere is mistyped"
        case .network:
            "the address belongs to another coin: its network prefix isn't BLOC's \(BlocAddress.networkPrefix)"
        }
    }

    /// The character in quotes, or its number where nothing would be seen.
    private static func shown(_ scalar: Unicode.Scalar) -> String {
        let printable = PeerText.printable(String(scalar))
        guard printable.isEmpty else { return "'\(printable)'" }
        return "U+" + String(repeating: "0", count: max(0, 4 - digits(of: scalar).count)) + digits(of: scalar)
    }

    private static func digits(of scalar: Unicode.Scalar) -> String {
        String(scalar.value, radix: 16, uppercase: true)
    }
}
