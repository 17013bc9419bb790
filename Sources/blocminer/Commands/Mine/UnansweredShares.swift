import BlocMiner

/// Counts the shares that one loss of a connection, or the stop, left without an answer: they come all at once, and
/// hundreds of lines would tell no more than a few.
struct UnansweredShares {
    /// How many lines a loss may have before a count stands for the rest.
    private static let mostLines = 3
    /// How the session ends the reason of each.
    private static let ending = "before the pool answered"

    private var count = 0
    private var reason = ""

    /// Counts `share` if it is one. Returns whether it needs no line of its own; nil: it is none.
    mutating func take(_ share: ShareEvent) -> Bool? {
        guard case .stale(let reason) = share.outcome, reason.hasSuffix(Self.ending) else { return nil }
        self.reason = reason
        count += 1
        return count > Self.mostLines
    }

    /// How many had no line, and their reason; nil where all had one. The next one belongs to another loss.
    mutating func end() -> (count: Int, reason: String)? {
        defer { self = UnansweredShares() }
        return count > Self.mostLines ? (count - Self.mostLines, reason) : nil
    }
}
