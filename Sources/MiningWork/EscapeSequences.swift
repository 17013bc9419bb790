/// Finds the parts of a text that a terminal would obey instead of showing: control sequences (ECMA-48's CSI, as for
/// colours) and control strings (OSC and its kin, as for the window's title), each from its introducer to its end.
struct EscapeSequences {
    private enum Place {
        case text
        case escape
        case sequence
        /// Ends at the next control character.
        case string
    }

    private var place = Place.text

    /// Whether the text's next scalar is part of one.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        let before = place
        place = Self.place(after: scalar, in: before)
        return switch before {
        case .text: place != .text
        case .escape: place != .text || scalar == "\\"
        case .sequence: (0x20...0x7E).contains(scalar.value)
        case .string: place == .string
        }
    }

    private static func place(after scalar: Unicode.Scalar, in place: Place) -> Place {
        switch (place, scalar.value) {
        case (_, 0x1B): .escape
        case (_, 0x9B), (.escape, 0x5B): .sequence
        case (_, 0x90), (_, 0x98), (_, 0x9D...0x9F): .string
        case (.escape, 0x50), (.escape, 0x58), (.escape, 0x5D...0x5F): .string
        case (.sequence, 0x20...0x3F): .sequence
        case (.string, 0x20...0x7E), (.string, 0xA0...): .string
        default: .text
        }
    }
}
