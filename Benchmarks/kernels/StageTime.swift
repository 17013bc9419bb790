import CryptoNight

/// What a stage takes for one digest or hash.
struct StageTime {
    private static let fewestRepetitions = 5

    let nanoseconds: Double
    /// Of the time-stamp counter; 0 where there is none.
    let ticks: Double
    let repetitions: Int

    /// The medians over repetitions of `body`, which does so many operations at a time; one goes before them. What
    /// `preparing` does before each isn't timed.
    static func measured(
        operations: Int,
        seconds: Double,
        preparing: () throws -> Void = {},
        _ body: () throws -> Void
    ) throws -> StageTime {
        try preparing()
        try body()
        let end = ContinuousClock.now + .seconds(seconds)
        var times: [Double] = []
        var ticks: [Double] = []
        while times.count < fewestRepetitions || ContinuousClock.now < end {
            try preparing()
            let (start, from) = (ContinuousClock.now, TimeStampCounter.ticks)
            try body()
            ticks.append(Double(TimeStampCounter.ticks &- from) / Double(operations))
            times.append(start.duration(to: .now) / .nanoseconds(1) / Double(operations))
        }
        return StageTime(nanoseconds: median(of: times), ticks: median(of: ticks), repetitions: times.count)
    }

    private static func median(of numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

    /// One JSON object.
    func line(stage: String, variant: HashVariant?, path: InstructionSet, lanes: Int) -> String {
        let algorithm = variant.map { "\"\($0.name)\"" } ?? "null"
        return """
            {"stage":"\(stage)","algorithm":\(algorithm),"path":"\(path.name)","lanes":\(lanes),\
            "nanoseconds":\(nanoseconds),"tscTicks":\(ticks),"repetitions":\(repetitions)}
            """
    }
}
