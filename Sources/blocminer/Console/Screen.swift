import Glibc

/// Standard output, as a terminal with colours and a status line or as plain lines.
struct Screen: Sendable {
    private let stream: TextStream
    private let isTerminal: Bool
    private let hasColor: Bool
    private var status: StyledText?

    /// The screen on `stream`. Colours and the status line need a terminal that doesn't call itself dumb; colours also
    /// need `allowsColor`, and NO_COLOR not to be set.
    init(_ stream: TextStream = .output, allowsColor: Bool) {
        self.stream = stream
        let kind = getenv("TERM").map { String(cString: $0) } ?? "dumb"
        isTerminal = stream.isTerminal && kind != "dumb"
        hasColor = isTerminal && allowsColor && getenv("NO_COLOR").map { $0[0] == 0 } ?? true
    }

    /// Whether a status line is shown.
    var hasStatusLine: Bool { isTerminal }

    /// Writes a line with its time, above the status line.
    mutating func add(_ line: StyledText, at time: WallTime) throws(StreamError) {
        guard isTerminal else { return try stream.write("\(time.dateAndTime) \(line.plain)\n") }
        let stamped: StyledText = "\(time.timeOfDay, .faint) \(line)"
        try stream.write("\r\u{1B}[K\(rendered(stamped))\n\(statusText)")
    }

    /// Writes a line as it is.
    mutating func addRaw(_ line: String) throws(StreamError) {
        try stream.write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n")
    }

    /// Shows `text` as the status line, or none.
    mutating func show(status text: StyledText?) throws(StreamError) {
        guard isTerminal, status != text else { return }
        status = text
        try stream.write("\r\u{1B}[K\(statusText)")
    }

    /// One column short of the terminal's width, so that the line never wraps.
    private var statusText: String { status.map { rendered($0.cut(to: stream.columns - 1)) } ?? "" }

    private func rendered(_ text: StyledText) -> String { hasColor ? text.escaped : text.plain }
}
