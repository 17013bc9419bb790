public import CryptoNight

/// How many random cache lines in a second memory reads, changes and writes, with all threads at it at the same time.
public struct LineRate: Sendable, Hashable {
    /// What one form of the loop reached.
    public struct Entry: Sendable, Hashable {
        /// The form.
        public let form: UpdateForm
        /// Lines per second of all threads together: the median of its turns.
        public let linesPerSecond: Double

        /// An entry put together by hand.
        public init(form: UpdateForm, linesPerSecond: Double) {
            self.form = form
            self.linesPerSecond = linesPerSecond
        }
    }

    /// Threads that took part.
    public let threads: Int
    /// Scratchpads of each.
    public let lanes: Int
    /// The part of each scratchpad that was visited.
    public let padBytes: Int
    /// Every form that was tried.
    public let entries: [Entry]
    /// Whether memory held one increment for each update, on every thread.
    public let isVerified: Bool

    /// A rate put together by hand.
    public init(threads: Int, lanes: Int, padBytes: Int, entries: [Entry], isVerified: Bool) {
        self.threads = threads
        self.lanes = lanes
        self.padBytes = padBytes
        self.entries = entries
        self.isVerified = isVerified
    }

    /// The best form; nil where none was tried.
    public var best: Entry? { entries.max { $0.linesPerSecond < $1.linesPerSecond } }

    /// Of the same loops at two times, the better of each form.
    func combined(with other: LineRate) -> LineRate {
        let better = entries.map { entry in
            ([entry] + other.entries).filter { $0.form == entry.form }.max { $0.linesPerSecond < $1.linesPerSecond }
                ?? entry
        }
        return LineRate(
            threads: threads,
            lanes: lanes,
            padBytes: padBytes,
            entries: better,
            isVerified: isVerified && other.isVerified
        )
    }
}
