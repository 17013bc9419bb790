/// Text that came from a peer, made safe to show: control characters stripped, bounded.
public enum PeerText {
    /// At most `limit` characters of `text`, without control and formatting characters; a cut is marked by "…".
    public static func printable(_ text: some StringProtocol, limit: Int = 200) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isPrintable(scalar) {
            if shown.count == limit {
                shown.append("…")
                break
            }
            shown.append(scalar)
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
