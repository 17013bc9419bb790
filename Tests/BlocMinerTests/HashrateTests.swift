import Testing

@testable import BlocMiner

@Suite struct HashrateHistoryTests {
    private func history(seconds: Int, perSecond: UInt64) -> HashrateHistory {
        var history = HashrateHistory()
        for second in 0...seconds { history.record(hashes: UInt64(second) * perSecond, at: .seconds(second)) }
        return history
    }

    @Test func knowsNothingBeforeTwoReadings() {
        var history = HashrateHistory()
        #expect(history.windows == HashrateWindows())
        history.record(hashes: 5, at: .seconds(1))
        #expect(history.windows == HashrateWindows())
    }

    @Test func givesAnEstimateWithItsAgeWhileItIsYoung() {
        let windows = history(seconds: 7, perSecond: 40).windows
        #expect(windows.tenSeconds == Hashrate(hashesPerSecond: 40, age: .seconds(7)))
        #expect(windows.quarterHour == Hashrate(hashesPerSecond: 40, age: .seconds(7)))
        #expect(windows.best == nil)
    }

    @Test func looksBackAsFarAsEachWindowReaches() {
        var history = history(seconds: 1000, perSecond: 10)
        for second in 1001...1010 { history.record(hashes: 10_000 + UInt64(second - 1000) * 70, at: .seconds(second)) }
        let windows = history.windows
        #expect(windows.tenSeconds == Hashrate(hashesPerSecond: 70, age: .seconds(10)))
        #expect(windows.minute == Hashrate(hashesPerSecond: 20, age: .seconds(60)))
        #expect(windows.quarterHour?.age == .seconds(900))
        #expect(windows.best == 70)
    }
}

@Suite struct HashrateSamplerTests {
    private let start = ContinuousClock.now

    private func reading(_ hashes: UInt64, at seconds: Double) -> WorkerCounter.Reading {
        WorkerCounter.Reading(hashes: hashes, completed: start + .seconds(seconds))
    }

    @Test func measuresEachWorkerBetweenItsOwnBatches() {
        var sampler = HashrateSampler(start: [reading(10, at: 1), reading(20, at: 1.5)])
        let isTaken = sampler.take([reading(30, at: 3), reading(50, at: 4.5)])
        #expect(isTaken)
        #expect(sampler.samples == [20])
        #expect(sampler.perThread == [10, 10])
        #expect(sampler.perThreadRanges == [10...10, 10...10])
        #expect(sampler.hashes == 50)
        #expect(sampler.seconds == 2.5)
    }

    @Test func waitsForTheSlowestWorker() {
        var sampler = HashrateSampler(start: [reading(10, at: 1), reading(20, at: 1)])
        let isTaken = sampler.take([reading(30, at: 3), reading(20, at: 1)])
        #expect(!isTaken)
        #expect(sampler.samples.isEmpty && sampler.hashes == 0)
    }

    @Test func takesTheMiddleOfItsNumbers() {
        #expect(Median.of([]) == 0)
        #expect(Median.of([3]) == 3)
        #expect(Median.of([9, 1, 4]) == 4)
        #expect(Median.of([9, 1, 4, 5]) == 4.5)
    }
}

@Suite(.timeLimit(.minutes(1))) struct HashrateBenchmarkTests {
    @Test func verifiesWhatItMeasured() async throws {
        let configuration = HashrateBenchmark.Configuration(
            variant: try quickVariant(),
            limits: HashingLimits(threads: 1, lanes: 3),
            seconds: 0.3,
            minimumSamples: 3
        )
        let report = try await HashrateBenchmark(configuration).run()
        #expect(report.isVerified)
        #expect(report.samples.count == 3 && report.perThread.count == 1)
        #expect(report.kernel.lanes == 3 && report.hashes > 0 && report.seconds > 0)
        let rate = report.hashesPerSecond
        #expect(rate.minimum <= rate.median && rate.median <= rate.maximum && rate.minimum > 0)
    }

    @Test func refusesMoreThreadsThanThereAre() async throws {
        let configuration = HashrateBenchmark.Configuration(
            variant: try quickVariant(),
            limits: HashingLimits(threads: 100_000)
        )
        await #expect(throws: MinerError.self) { try await HashrateBenchmark(configuration).run() }
    }
}
