import BlocMiner

/// What a hashrate means, in words.
struct AnalysisText {
    let analysis: LoopAnalysis
    let limits: MeasuredLimits?

    #if arch(x86_64)
        /// Whose ticks are counted.
        static let counter = "TSC"
    #else
        /// Whose ticks are counted.
        static let counter = "timer"
    #endif

    /// The lines below a result.
    var lines: [String] { [loop, ceiling, bound].compactMap { $0 } }

    /// Such as "main loop: 92.4 % of the time, 229.4 M lines/s, 41.5 TSC ticks an iteration; sweeps: 7.6 %".
    private var loop: String {
        let share = analysis.mainShare
        let parts = [
            share.map { "\(Self.percent($0)) of the time" }, "\(Self.millions(analysis.linesPerSecond)) M lines/s",
            analysis.ticksPerIteration.map {
                "\(NumberText.decimal($0, places: 1)) \(Self.counter) ticks an iteration"
            },
        ]
        let sweeps = share.map { "; sweeps: \(Self.percent(1 - $0))" } ?? " (sweeps not told apart)"
        return "main loop: " + parts.compactMap { $0 }.joined(separator: ", ") + sweeps
    }

    private var ceiling: String? {
        guard let limits, let best = limits.lineRate.best, let fraction = analysis.ceilingFraction else { return nil }
        return
            "ceiling: \(Self.millions(best.linesPerSecond)) M lines/s (\(best.form)); reached: \(Self.percent(fraction))"
    }

    private var bound: String? {
        analysis.bound.map { bound in
            let needs = HashrateBound.allCases.compactMap { limit in
                analysis.needs[limit].map { "\(limit.words) \(Self.percent($0))" }
            }
            return "bound by \(bound.words); of the time each limit alone would need: \(needs.joined(separator: ", "))"
        }
    }

    /// A latency table in lines.
    static func lines(of table: LatencyTable, threads: Int) -> [String] {
        let cells = table.entries.map {
            "\(NumberText.bytes($0.bytes)) \(NumberText.decimal($0.nanoseconds, places: 1)) ns"
        }
        let share = table.cacheShareBytes.map { "about \(NumberText.bytes($0)) a thread" } ?? "not to be told"
        return [
            "latency of dependent loads, \(NumberText.count(threads, "thread")) at once: "
                + cells.joined(separator: " · "),
            "effective share of the caches: \(share)",
        ]
    }

    private static func percent(_ part: Double) -> String { "\(NumberText.decimal(part * 100, places: 1)) %" }

    private static func millions(_ rate: Double) -> String { NumberText.decimal(rate / 1e6, places: 1) }
}
