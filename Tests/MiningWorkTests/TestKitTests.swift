import MiningTestKit
import Testing

@Suite struct TestKitTests {
    /// The first numbers that the published algorithm gives for this seed.
    @Test func generatesTheKnownSequence() {
        var random = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test func movesTheClockForwardOnly() {
        let clock = ManualClock(startingAt: .seconds(5))
        #expect(clock.advance(by: .milliseconds(250)) == .milliseconds(5250))
        clock.advance(by: .seconds(-3))
        #expect(clock.now == .milliseconds(5250))
    }

    @Test func loadsEveryHashVector() throws {
        let vectors = try HashVector.all()
        #expect(vectors.count == 344)
        #expect(Set(vectors.map(\.algorithm)).count == 20)
        #expect(vectors.allSatisfy { ($0.height != nil) == ($0.algorithm == "cn/r") })
        #expect(try HashVector.all(of: "cn/r").count == 21)
    }

    @Test func findsFilesAndReportsMissingOnes() throws {
        #expect(try TestData.vectors.lines(of: "monero-tree.txt").count == 16)
        #expect(try TestData.vectors.names(withSuffix: ".json").contains("cryptonight.json"))
        #expect(throws: (any Error).self) { try TestData.vectors.data(of: "no such file") }
    }
}
