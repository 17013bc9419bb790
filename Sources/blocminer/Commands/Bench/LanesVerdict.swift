import BlocMiner

/// Which of several configurations of an algorithm is the fastest.
struct LanesVerdict {
    let records: [BenchmarkRecord]

    /// The one with the greatest median; the first of equals. Nil for none.
    var winner: BenchmarkRecord? { ranked.first }

    /// Such as "winner for cn/0: 16 lanes, 181.2 H/s; +4.1 % on 24 lanes: within the noise". Nil for fewer than two.
    var line: String? {
        guard let first = winner, ranked.count > 1 else { return nil }
        let second = ranked[1]
        let comparison = RateComparison(earlier: second.rate, later: first.rate)
        let judgement = comparison.isLargerThanNoise ? "larger than the noise" : "within the noise"
        return "winner for \(first.algorithm): \(NumberText.count(first.lanes, "lane")), "
            + "\(NumberText.hashrate(first.median)); \(comparison.percentage) on "
            + "\(NumberText.count(second.lanes, "lane")): \(judgement)"
    }

    private var ranked: [BenchmarkRecord] {
        records.enumerated()
            .sorted {
                $0.element.median != $1.element.median ? $0.element.median > $1.element.median : $0.offset < $1.offset
            }
            .map(\.element)
    }
}
