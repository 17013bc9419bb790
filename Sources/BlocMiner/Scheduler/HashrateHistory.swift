/// Hash counts over the last quarter of an hour, from which hashrates over any window follow. A value: its clock is the
/// caller's.
struct HashrateHistory: Sendable {
    private static let reach: Duration = .seconds(15 * 60)
    private static let fullWindow: Duration = .seconds(10)
    private var readings: [(at: Duration, hashes: UInt64)] = []
    private(set) var best: Double?

    /// Notes that `hashes` were complete at `now`, which never goes back. To be called about once a second.
    mutating func record(hashes: UInt64, at now: Duration) {
        readings.append((now, hashes))
        // One reading beyond the reach stays, so that the longest window can be filled.
        while readings.count > 2, readings[1].at <= now - Self.reach { readings.removeFirst() }
        if let rate = rate(over: Self.fullWindow), rate.age >= Self.fullWindow {
            best = max(best ?? 0, rate.hashesPerSecond)
        }
    }

    /// The rate over the last `window`, or over all there is while that is less; nil before two readings.
    func rate(over window: Duration) -> Hashrate? {
        guard let last = readings.last else { return nil }
        let start = readings.last { $0.at <= last.at - window } ?? readings[0]
        let age = last.at - start.at
        guard age > .zero else { return nil }
        return Hashrate(hashesPerSecond: Double(last.hashes - start.hashes) / (age / .seconds(1)), age: age)
    }

    /// The rates that a miner shows.
    var windows: HashrateWindows {
        var windows = HashrateWindows()
        windows.tenSeconds = rate(over: Self.fullWindow)
        windows.minute = rate(over: .seconds(60))
        windows.quarterHour = rate(over: Self.reach)
        windows.best = best
        return windows
    }
}
