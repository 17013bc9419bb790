internal import Glibc

/// How long a load takes that needs the one before, over working sets of rising size: each thread has a set of its own and
/// all load at the same time.
public struct LatencyTable: Sendable, Hashable {
    /// One working set.
    public struct Entry: Sendable, Hashable {
        /// Its size on each thread.
        public let bytes: Int
        /// A load's time: the median over the threads.
        public let nanoseconds: Double

        /// An entry put together by hand.
        public init(bytes: Int, nanoseconds: Double) {
            self.bytes = bytes
            self.nanoseconds = nanoseconds
        }
    }

    /// By rising size.
    public let entries: [Entry]
    /// Whether every thread's walk ended where it began.
    public let isVerified: Bool

    /// A table put together by hand.
    public init(entries: [Entry], isVerified: Bool) {
        self.entries = entries.sorted { $0.bytes < $1.bytes }
        self.isVerified = isVerified
    }

    /// The share of the caches that a thread really gets: the largest set up to which every load took less than half way
    /// from the shortest to the longest latency. Nil where the longest isn't at least twice the shortest: no cache shows.
    public var cacheShareBytes: Int? {
        guard let least = entries.map(\.nanoseconds).min(), let most = entries.map(\.nanoseconds).max(),
            most >= 2 * least
        else { return nil }
        return entries.prefix { $0.nanoseconds < (least + most) / 2 }.last?.bytes
    }

    /// The latency over a set of `bytes`: between two entries by the logarithm of the size, beyond them that of the
    /// nearest. Nil for an empty table.
    public func nanoseconds(over bytes: Int) -> Double? {
        guard let upper = entries.first(where: { $0.bytes >= bytes }) else { return entries.last?.nanoseconds }
        guard let lower = entries.last(where: { $0.bytes < bytes }) else { return upper.nanoseconds }
        let way = log2(Double(bytes) / Double(lower.bytes)) / log2(Double(upper.bytes) / Double(lower.bytes))
        return lower.nanoseconds + way * (upper.nanoseconds - lower.nanoseconds)
    }
}
