/// Text that came from a peer, made safe to show: escape sequences and control characters stripped, bounded.
public enum PeerText {
    /// At most `limit` characters of `text`, without escape sequences, control and formatting characters; a cut is marked by "…".
    public static func printable(_ text: some StringProtocol, limit: Int = 200) -> String {
        var shown = String.UnicodeScalarView()
        var room = limit
        var sequences = EscapeSequences()
        for scalar in text.unicodeScalars where !sequences.takes(scalar) && isPrintable(scalar) {
            if room == 0 {
                shown.append("…")
                break
            }
            shown.append(scalar)
            room -= 1
        }
        return String(shown)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
