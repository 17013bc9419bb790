import BlocMiner

extension MinerStatistics {
    /// "hashrate 41.2 H/s (over 10 s), 40.1 H/s (over 32 s), best 42.0 H/s": every figure with the time it covers, so
    /// that a young one is never mistaken for a settled one.
    var hashrateText: String {
        var figures: [String] = []
        var lastAge: Duration?
        for rate in [latestHashrate, hashrate.minute, hashrate.quarterHour].compactMap(\.self) where rate.age != lastAge
        {
            figures.append(rate.text)
            lastAge = rate.age
        }
        guard !figures.isEmpty else { return "hashrate: no hash completed yet" }
        let best = hashrate.best.map { ["best \(NumberText.hashrate($0))"] } ?? []
        return "hashrate " + (figures + best).joined(separator: ", ")
    }

    /// The hashrate of the last ten seconds; while mining is younger, all that there is.
    var latestHashrate: Hashrate? {
        if let rate = hashrate.tenSeconds { return rate }
        return hashes > 0 ? Hashrate(hashesPerSecond: hashesPerSecond, age: hashingTime) : nil
    }
}

extension Hashrate {
    /// "41.2 H/s (over 7 s)".
    var text: String { "\(NumberText.hashrate(hashesPerSecond)) (over \(DurationText.text(age)))" }
}
