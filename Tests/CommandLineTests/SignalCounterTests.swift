import Testing

@testable import blocminer

@Suite struct SignalCounterTests {
    @Test func takesASignalThatComesAtOnceForAnEcho() {
        let counter = SignalCounter()
        let start = ContinuousClock.now
        #expect(counter.next(at: start) == .first)
        #expect(counter.next(at: start + .milliseconds(100)) == .echo)
        #expect(counter.next(at: start + .milliseconds(299)) == .echo)
        #expect(counter.next(at: start + .milliseconds(300)) == .repeated)
    }
}
