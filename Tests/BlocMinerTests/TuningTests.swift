import CryptoNight
import MiningTestKit
import Testing

@testable import BlocMiner

@Suite struct TuningSearchTests {
    private func space(threads: [Int] = [2], scratchpads: Int = 1000) -> TuningSpace {
        TuningSpace(threads: threads, paths: InstructionSet.supported.reversed(), scratchpads: scratchpads)
    }

    /// Runs a search on a machine that hashes as `rate` says. Returns the trials in order.
    private func trials(
        of space: TuningSpace,
        rate: (WorkForm) -> Double
    ) -> (trials: [TuningSearch.Trial], best: WorkForm?) {
        var search = TuningSearch(space)
        var trials: [TuningSearch.Trial] = []
        while let trial = search.next, trials.count < 1000 {
            trials.append(trial)
            search.record(hashesPerSecond: rate(trial.form))
        }
        return (trials, search.best?.form)
    }

    @Test(arguments: [1, 2, 3, 5, 7, 10, 20, 24, 28, 40]) func findsThePeakWhereverItIs(peak: Int) throws {
        let found = trials(of: space()) { 1000 - abs(Double($0.lanes - peak)) - ($0.path == .portable ? 500 : 0) }
        #expect(abs(try #require(found.best).lanes - peak) <= max(1, peak / 16))
        #expect(found.best?.path == InstructionSet.supported.last)
    }

    @Test func triesOtherThreadCountsWithTheBestLanes() {
        let found = trials(of: space(threads: [2, 4, 8])) { Double($0.threads * 100) + 64 - Double($0.lanes) }
        #expect(found.best == WorkForm(threads: 8, lanes: 1, path: InstructionSet.supported.last ?? .portable))
    }

    @Test func measuresFewerFormsMoreOftenWithinItsBudget() {
        let found = trials(of: space(threads: [2, 4])) { 1000 - abs(Double($0.lanes - 12)) }
        let durations = found.trials.map(\.duration)
        #expect(durations == durations.sorted())
        #expect(durations.first == .milliseconds(500) && durations.max() == .milliseconds(800))
        #expect(durations.reduce(.zero, +) < Tuner.budget - .seconds(8))
        let last = found.trials.suffix(6).map(\.form)
        #expect(Set(last).count == 2 && last[0] == last[2] && last[1] == last[3])
    }

    @Test func isNotMisledByOneFortunateMeasurement() {
        var seen = 0
        let found = trials(of: space()) { form in
            guard form.lanes == 3 else { return 1000 - abs(Double(form.lanes - 12)) }
            // Half as much again, the first time in each round only.
            seen += 1
            return [1, 2, 3, 5].contains(seen) ? 1400 : 700
        }
        #expect(found.best?.lanes == 12)
    }

    @Test func neverTriesWhatHasNoRoom() {
        let found = trials(of: space(threads: [2], scratchpads: 13)) { 1000 * Double($0.lanes) }
        #expect(found.trials.allSatisfy { $0.form.lanes <= 6 })
        #expect(found.best?.lanes == 6)
        #expect(trials(of: space(threads: [2], scratchpads: 0)) { _ in 1 }.best?.lanes == 1)
    }

    @Test func refusesBatchesThatTakeTooLong() {
        // Two threads, 60 H/s in all: 16 lanes take 0.53 s.
        let found = trials(of: space()) { 60 + Double($0.lanes) / 100 }
        #expect(found.best?.lanes == 15)
        let slow = trials(of: space()) { Double($0.lanes) / 1000 }
        #expect(slow.best?.lanes == 1)
    }

    @Test func endsWhenNothingHashes() {
        #expect(trials(of: space()) { _ in 0 }.best?.lanes == 1)
    }
}

@Suite struct TuningWatchTests {
    /// What a watch says to each rate and second, after a tuning to 100 H/s at the start.
    private func answers(_ steps: [(rate: Double?, second: Int)], after tuned: [(rate: Double, second: Int)]) -> [Bool]
    {
        var watch = TuningWatch()
        var answers: [Bool] = []
        var events = tuned
        for step in steps {
            while let event = events.first, event.second <= step.second {
                watch.tuned(hashesPerSecond: event.rate, at: .seconds(event.second))
                events.removeFirst()
            }
            answers.append(watch.isDue(hashesPerSecond: step.rate, at: .seconds(step.second)))
        }
        return answers
    }

    @Test func waitsFiveMinutesBelowTheBaseline() {
        let steps = (2000...2300).map { (rate: Double?.some(89), second: $0) }
        let answers = answers(steps, after: [(100, 0)])
        #expect(answers.dropLast().allSatisfy { !$0 })
        #expect(answers.last == true)
    }

    @Test(arguments: [90.0, nil]) func startsAgainWhenTheRateRecoversOrNothingIsHashed(rate: Double?) {
        let answers = answers([(80, 2000), (rate, 2200), (80, 2400), (80, 2699), (80, 2700)], after: [(100, 0)])
        #expect(answers == [false, false, false, false, true])
    }

    @Test func tunesAtMostOnceInHalfAnHourAndTakesTheNewRateAsItsBaseline() {
        let answers = answers(
            [(50, 100), (50, 1799), (50, 1800), (46, 9000), (46, 9999)],
            after: [(100, 0), (50, 1860)]
        )
        #expect(answers == [false, false, true, false, false])
    }

    @Test func knowsNothingBeforeTheFirstTuning() {
        #expect(answers([(1, 0), (1, 9999)], after: []) == [false, false])
    }
}

@Suite struct TuningCacheTests {
    private func key(_ algorithm: String, memory: Int? = nil) -> TuningKey {
        TuningKey(
            machine: "a CPU",
            pus: "0-1",
            threads: nil,
            path: nil,
            memory: memory,
            pages: "prefer",
            algorithm: algorithm,
            kernelVersion: 1
        )
    }

    private func result(_ lanes: Int) -> TuningResult {
        TuningResult(WorkForm(threads: 2, lanes: lanes, path: .portable), hashesPerSecond: 12.5)
    }

    @Test func keepsResultsByTheirKeyAndReplacesThem() throws {
        try withTemporaryFolder { folder in
            let cache = TuningCache(folder: folder + "/new/one")
            #expect(try cache.result(for: key("cn/0")) == nil)
            try cache.keep(result(3), for: key("cn/0"))
            try cache.keep(result(24), for: key("cn/1"))
            try cache.keep(result(5), for: key("cn/0"))
            #expect(try cache.result(for: key("cn/0")) == result(5))
            #expect(try cache.result(for: key("cn/1")) == result(24))
            #expect(try cache.result(for: key("cn/1", memory: 8)) == nil)
        }
    }

    @Test(arguments: ["", "[", "{}", "[{\"key\":1}]", "null", "\u{0}"])
    func namesADamagedFileAndReplacesIt(text: String) throws {
        try withTemporaryFolder { folder in
            let cache = TuningCache(folder: folder)
            try write(text, to: cache.path)
            #expect(throws: MinerError.self) { try cache.result(for: key("cn/0")) }
            try cache.keep(result(7), for: key("cn/0"))
            #expect(try cache.result(for: key("cn/0")) == result(7))
        }
    }

    @Test func saysWhereItCannotWrite() {
        #expect(throws: MinerError.self) { try TuningCache(folder: "/proc/nosuch").keep(result(1), for: key("cn/0")) }
    }

    @Test func findsItsFolderInTheEnvironment() {
        let all = ["CACHE_DIRECTORY": "/c:/d", "XDG_CACHE_HOME": "/x", "HOME": "/h"]
        #expect(TuningCache(environment: all)?.path == "/c/tuning.json")
        #expect(TuningCache(environment: ["XDG_CACHE_HOME": "/x", "HOME": "/h"])?.path == "/x/blocminer/tuning.json")
        #expect(TuningCache(environment: ["HOME": "/h"])?.path == "/h/.cache/blocminer/tuning.json")
        #expect(TuningCache(environment: ["HOME": "h", "XDG_CACHE_HOME": ""]) == nil)
        #expect(TuningCache(environment: [:]) == nil)
    }
}
