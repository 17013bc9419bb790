/// Text from outside (a path, a file, the firmware) made fit to print: control and invisible characters dropped, white
/// space collapsed, cut at `limit` characters.
func printable(_ text: String, limit: Int = 64) -> String {
    var shown = ""
    var length = 0
    var isAfterSpace = true
    for scalar in text.unicodeScalars.prefix(4096) {
        if length == limit { return shown + "…" }
        if scalar.properties.isWhitespace {
            if !isAfterSpace {
                shown.append(" ")
                length += 1
            }
            isAfterSpace = true
            continue
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .unassigned: continue
        default: break
        }
        shown.unicodeScalars.append(scalar)
        length += 1
        isAfterSpace = false
    }
    return shown.last == " " ? String(shown.dropLast()) : shown
}

/// A size in the largest binary unit that divides it: `2 MiB`, `5118 KiB`, `100 bytes`.
func binarySize(_ bytes: Int) -> String {
    if bytes > 0, bytes.isMultiple(of: 1 << 20) { return "\(bytes >> 20) MiB" }
    if bytes > 0, bytes.isMultiple(of: 1 << 10) { return "\(bytes >> 10) KiB" }
    return "\(bytes) bytes"
}

/// `1 thread`, `2 threads`.
func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
