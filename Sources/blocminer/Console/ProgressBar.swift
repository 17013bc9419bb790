/// A bar on standard error while something takes its time; nothing where that is no terminal.
struct ProgressBar: Sendable {
    private static let width = 30

    private let stream: TextStream
    private let isShown: Bool
    private let title: String

    /// A bar after `title`.
    init(_ title: String, on stream: TextStream = .diagnostics) {
        self.title = title
        self.stream = stream
        isShown = stream.isTerminal
    }

    /// Shows that `fraction`, from 0 to 1, is done.
    func show(_ fraction: Double) {
        guard isShown else { return }
        try? stream.write("\r\u{1B}[K" + Self.text(title: title, fraction: fraction))
    }

    /// Takes the bar away.
    func clear() {
        guard isShown else { return }
        try? stream.write("\r\u{1B}[K")
    }

    /// The bar in characters.
    static func text(title: String, fraction: Double) -> String {
        let done = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        let filled = Int(done * Double(width))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
        return "\(title) [\(bar)] \(Int(done * 100)) %"
    }
}
