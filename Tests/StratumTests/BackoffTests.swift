import Testing

@testable import Stratum

@Suite struct BackoffTests {
    @Test(arguments: UInt64(0)..<50)
    func doublesUpToAMinuteGiveOrTakeAFifth(seed: UInt64) {
        var backoff = Backoff(seed: seed)
        for seconds: Double in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            let pause = backoff.pauseAfterFailure() / .seconds(1)
            #expect((seconds * 0.8...seconds * 1.2).contains(pause))
        }
    }

    @Test func neverOverflows() {
        var backoff = Backoff(seed: 3)
        for _ in 0..<10_000 { _ = backoff.pauseAfterFailure() }
        #expect(backoff.pauseAfterFailure() <= .seconds(72))
    }

    @Test func startsAgainAfterAReset() {
        var backoff = Backoff(seed: 3)
        for _ in 0..<5 { _ = backoff.pauseAfterFailure() }
        backoff.reset()
        #expect(backoff.pauseAfterFailure() <= .milliseconds(1200))
    }

    @Test func variesWithTheSeedAndNothingElse() {
        let pauses = (UInt64(0)..<100).map { seed in
            var backoff = Backoff(seed: seed)
            return backoff.pauseAfterFailure()
        }
        #expect(Set(pauses).count > 50)
        var again = Backoff(seed: 42)
        #expect(again.pauseAfterFailure() == pauses[42])
    }
}
