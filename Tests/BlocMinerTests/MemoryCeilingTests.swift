import CryptoNight
import Testing

@testable import BlocMiner

@Suite(.timeLimit(.minutes(1))) struct MemoryCeilingTests {
    private func benchmark() throws -> MemoryCeilingBenchmark {
        let limits = HashingLimits(threads: 1, hugePages: .off)
        return try MemoryCeilingBenchmark(variant: quickVariant(), limits: limits, secondsPerLoop: 0.001)
    }

    @Test func walksEveryWorkingSet() async throws {
        let table = try await benchmark().latencies(largest: 1 << 18)
        #expect(table.isVerified)
        #expect(table.entries.map(\.bytes) == [1 << 16, 1 << 17, 1 << 18])
        #expect(table.entries.allSatisfy { $0.nanoseconds > 0 })
    }

    @Test func countsEveryUpdateOfEveryForm() async throws {
        let rate = try await benchmark().lineRate(lanes: 3, scratchpadBytes: 1 << 17, visitedBytes: 1 << 16)
        #expect(rate.isVerified)
        #expect(rate.entries.map(\.form) == UpdateForm.all)
        #expect(rate.entries.allSatisfy { $0.linesPerSecond > 0 })
        #expect(rate.best?.linesPerSecond == rate.entries.map(\.linesPerSecond).max())
        #expect(rate.threads == 1 && rate.lanes == 3 && rate.padBytes == 1 << 16)
    }

    @Test(arguments: [(1 << 16, 1 << 17), (1 << 17, 3 << 14), (1 << 17, 32)])
    func refusesPartsThatCannotBeVisited(scratchpad: Int, visited: Int) async throws {
        let benchmark = try benchmark()
        await #expect(throws: MinerError.self) {
            try await benchmark.lineRate(lanes: 1, scratchpadBytes: scratchpad, visitedBytes: visited)
        }
    }

    @Test func endsWhenItIsCancelled() async throws {
        let limits = HashingLimits(threads: 1, hugePages: .off)
        let benchmark = try MemoryCeilingBenchmark(variant: quickVariant(), limits: limits, secondsPerLoop: 60)
        let task = Task { try await benchmark.latencies(largest: 1 << 16) }
        task.cancel()
        await #expect(throws: MinerError.self) { try await task.value }
    }

    @Test func keepsTheBetterOfEachForm() {
        func rate(_ values: [Double]) -> LineRate {
            let entries = zip(UpdateForm.all, values).map { LineRate.Entry(form: $0, linesPerSecond: $1) }
            return LineRate(threads: 1, lanes: 1, padBytes: 64, entries: entries, isVerified: values[0] > 0)
        }
        let combined = rate([3, 8]).combined(with: rate([0, 9]))
        #expect(combined.entries.map(\.linesPerSecond) == [3, 9])
        #expect(!combined.isVerified)
    }

    @Test func tellsTheSweepsApart() async throws {
        let configuration = HashrateBenchmark.Configuration(
            variant: try quickVariant(),
            limits: HashingLimits(threads: 1, lanes: 2),
            seconds: 0.2,
            minimumSamples: 2,
            extent: .ceiling(latencies: LatencyTable(entries: [.init(bytes: 1, nanoseconds: 1)], isVerified: true))
        )
        let report = try await HashrateBenchmark(configuration).run()
        #expect(report.isVerified)
        let analysis = report.analysis
        let share = try #require(analysis.mainShare)
        #expect(share > 0 && share < 1)
        #expect(analysis.ceilingFraction ?? 0 > 0 && analysis.bound != nil)
        #expect(Set(analysis.needs.keys) == Set(HashrateBound.allCases))
        let merged = try #require(HashrateReport.merged([report, report]))
        #expect(merged.samples.count == 2 * report.samples.count && merged.hashes == 2 * report.hashes)
        #expect(HashrateReport.merged([]) == nil)
    }
}

@Suite struct RendezvousTests {
    @Test func letsEveryoneGoWhenItIsCalledOff() {
        let meeting = Rendezvous(of: 2)
        meeting.callOff()
        #expect(!meeting.arrive())
    }

    @Test func isOverOnceAllHaveArrived() async {
        let meeting = Rendezvous(of: 2)
        async let other = meeting.arrive()
        let isOn = meeting.arrive()
        #expect(isOn)
        #expect(await other)
    }
}
