import CryptoNight
import Testing

@testable import BlocMiner

@Suite struct LoopAnalysisTests {
    private func figures(
        _ name: String = "cn-heavy/xhv",
        lanes: Int = 1,
        rate: Double = 100,
        sweep: Double? = nil
    ) throws -> LoopAnalysis.Figures {
        let variant = try #require(HashVariant(named: name))
        return LoopAnalysis.Figures(
            demand: variant.demand,
            iterations: variant.iterations,
            threads: 2,
            lanes: lanes,
            hashesPerSecond: rate,
            ticksPerSecond: 3e9,
            sweepSeconds: sweep
        )
    }

    private func limits(
        nanoseconds: Double = 1,
        linesPerSecond: Double = 1e9,
        aes: Double = 1e-10,
        division: Double = 1e-10
    ) -> MeasuredLimits {
        MeasuredLimits(
            latencies: LatencyTable(entries: [.init(bytes: 1 << 20, nanoseconds: nanoseconds)], isVerified: true),
            lineRate: LineRate(
                threads: 2,
                lanes: 1,
                padBytes: 4 << 20,
                entries: [
                    .init(form: UpdateForm.all[0], linesPerSecond: linesPerSecond / 2),
                    .init(form: UpdateForm.all[1], linesPerSecond: linesPerSecond),
                ],
                isVerified: true
            ),
            arithmetic: ArithmeticCosts(
                aes: ArithmeticCost(latency: aes, throughput: aes),
                division: ArithmeticCost(latency: division, throughput: division)
            )
        )
    }

    @Test func countsLinesAndTicksOfTheMainLoop() throws {
        // Two threads at 50 H/s each: 20 ms a hash, of which a quarter is sweeps.
        let analysis = LoopAnalysis(try figures(sweep: 0.005), limits: limits(linesPerSecond: 209_715_200))
        let lines = 100.0 * 262_144 * 3 / 0.75
        #expect(analysis.mainShare == 0.75)
        #expect(abs(analysis.linesPerSecond / lines - 1) < 1e-12)
        #expect(abs(try #require(analysis.ceilingFraction) / (lines / 209_715_200) - 1) < 1e-12)
        #expect(abs(try #require(analysis.ticksPerIteration) / (3e9 * 0.015 / 262_144) - 1) < 1e-12)
    }

    @Test func takesTheWholeTimeWhereTheSweepsAreNotKnown() throws {
        let analysis = LoopAnalysis(try figures())
        #expect(analysis.mainShare == nil && analysis.ceilingFraction == nil && analysis.bound == nil)
        #expect(analysis.linesPerSecond == 100.0 * 262_144 * 3)
    }

    @Test func survivesSweepsLongerThanTheHash() throws {
        let analysis = LoopAnalysis(try figures(sweep: 1))
        #expect(analysis.mainShare == 0 && analysis.linesPerSecond.isFinite)
    }

    @Test func namesTheLimitThatNeedsTheMost() throws {
        #expect(LoopAnalysis(try figures(), limits: limits(nanoseconds: 20)).bound == .latency)
        #expect(LoopAnalysis(try figures(), limits: limits(linesPerSecond: 1e8)).bound == .lineRate)
        #expect(LoopAnalysis(try figures(), limits: limits(aes: 1e-7)).bound == .aes)
        #expect(LoopAnalysis(try figures(), limits: limits(division: 1e-7)).bound == .division)
    }

    @Test func hidesLatencyBehindLanes() throws {
        let one = LoopAnalysis(try figures(lanes: 1), limits: limits(nanoseconds: 20))
        let four = LoopAnalysis(try figures(lanes: 4), limits: limits(nanoseconds: 20))
        let needs = try (#require(one.needs[.latency]), #require(four.needs[.latency]))
        #expect(abs(needs.0 / needs.1 - 4) < 1e-9)
        #expect(one.needs[.lineRate] == four.needs[.lineRate])
    }

    @Test func findsNoDivisionWhereThereIsNone() throws {
        let analysis = LoopAnalysis(try figures("cn/0"), limits: limits(division: 1))
        #expect(analysis.needs[.division] == nil && analysis.bound != .division)
    }

    @Test func hidesArithmeticUpToItsThroughput() {
        let cost = ArithmeticCost(latency: 8, throughput: 1)
        #expect(cost.seconds(lanes: 1) == 8 && cost.seconds(lanes: 4) == 2 && cost.seconds(lanes: 64) == 1)
    }
}

@Suite struct LatencyTableTests {
    private func table(_ times: [Double]) -> LatencyTable {
        let entries = times.enumerated().map { LatencyTable.Entry(bytes: 1 << (16 + $0), nanoseconds: $1) }
        return LatencyTable(entries: entries.reversed(), isVerified: true)
    }

    @Test func findsTheShareOfTheCaches() {
        #expect(table([1, 4, 10, 79, 150]).cacheShareBytes == 1 << 18)
        #expect(table([1, 100, 10, 150]).cacheShareBytes == 1 << 16)
        #expect(table([5, 6, 7]).cacheShareBytes == nil)
        #expect(table([]).cacheShareBytes == nil)
    }

    @Test func readsBetweenItsEntries() {
        let table = table([10, 20, 40])
        #expect(table.nanoseconds(over: 1) == 10)
        #expect(table.nanoseconds(over: 1 << 17) == 20)
        #expect(table.nanoseconds(over: 1 << 30) == 40)
        #expect((20.0...40).contains(table.nanoseconds(over: 3 << 16) ?? 0))
        #expect(self.table([]).nanoseconds(over: 1) == nil)
    }
}

@Suite struct RateComparisonTests {
    private func rate(_ minimum: Double, _ median: Double, _ maximum: Double) -> RateComparison.Rate {
        RateComparison.Rate(median: median, minimum: minimum, maximum: maximum)
    }

    @Test func tellsAChangeFromNoise() {
        let faster = RateComparison(earlier: rate(9, 10, 11), later: rate(11.5, 12, 13))
        #expect(faster.isLargerThanNoise)
        #expect(abs((faster.change ?? 0) - 0.2) < 1e-12)
        #expect(RateComparison(earlier: rate(9, 10, 11), later: rate(7, 8, 8.9)).isLargerThanNoise)
        #expect(!RateComparison(earlier: rate(9, 10, 11), later: rate(11, 12, 13)).isLargerThanNoise)
        #expect(!RateComparison(earlier: rate(9, 10, 11), later: rate(5, 10, 20)).isLargerThanNoise)
    }

    @Test func knowsNoChangeFromNothing() {
        #expect(RateComparison(earlier: rate(0, 0, 0), later: rate(1, 1, 1)).change == nil)
    }
}

@Suite struct AlternationTests {
    @Test func takesTurns() {
        let alternation = Alternation(of: 3, rounds: 2)
        #expect(alternation.turns == [0, 1, 2, 0, 1, 2])
        #expect(alternation.secondsPerTurn(of: 9) == 4.5)
        #expect(alternation.samplesPerTurn(of: 9) == 5)
    }

    @Test func hasAtLeastOneRound() {
        #expect(Alternation(of: 2, rounds: 0).turns == [0, 1])
        #expect(Alternation(of: -1, rounds: 3).turns == [])
    }
}
