/// Two hashrates side by side.
public struct RateComparison: Sendable, Hashable {
    /// Hashes per second as measured: middle, least and largest sample.
    public struct Rate: Sendable, Hashable {
        /// The middle of the samples.
        public let median: Double
        /// The least.
        public let minimum: Double
        /// The largest.
        public let maximum: Double

        /// A rate put together by hand.
        public init(median: Double, minimum: Double, maximum: Double) {
            self.median = median
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// The one that is compared with.
    public let earlier: Rate
    /// The other one.
    public let later: Rate

    /// Compares `later` with `earlier`.
    public init(earlier: Rate, later: Rate) {
        self.earlier = earlier
        self.later = later
    }

    /// The change of the medians as a part of the earlier one: 0.1 is 10 % more. Nil where the earlier one isn't above 0.
    public var change: Double? {
        guard earlier.median > 0, later.median.isFinite, earlier.median.isFinite else { return nil }
        return later.median / earlier.median - 1
    }

    /// Whether no sample of one lies between the least and the largest of the other. Otherwise chance alone may have
    /// made the difference.
    public var isLargerThanNoise: Bool { later.minimum > earlier.maximum || later.maximum < earlier.minimum }
}
