import MiningTestKit
import MiningWork
import Testing

/// A target as a pool writes it, and what a miner makes of it.
struct CompactTarget: Sendable {
    let text: String
    let threshold: UInt64
    let difficulty: UInt64
}

@Suite struct TargetTests {
    static let rows = [
        CompactTarget(text: "ffffffff", threshold: 0xffff_ffff_ffff_ffff, difficulty: 1),
        CompactTarget(text: "711b0d00", threshold: 0x000d_1b71_758e_2196, difficulty: 5000),
        CompactTarget(text: "c5a70000", threshold: 0x0000_a7c5_3e53_e3ee, difficulty: 100_001),
        CompactTarget(text: "c6100000", threshold: 0x0000_10c6_004b_165d, difficulty: 1_000_225),
        CompactTarget(text: "04000000", threshold: 0x0000_0004_0000_0010, difficulty: 1_073_741_823),
        CompactTarget(text: "01000000", threshold: 0x0000_0001_0000_0001, difficulty: 0xffff_ffff),
        CompactTarget(text: "88888808", threshold: 0x0888_8888_8888_8888, difficulty: 30),
    ]

    @Test(arguments: rows) func widensFourBytes(row: CompactTarget) throws {
        let target = try Target(compact: row.text)
        #expect(target.threshold == row.threshold)
        #expect(target.difficulty.hashes == row.difficulty)
    }

    @Test func takesEightBytesAsTheyAre() throws {
        let target = try Target(compact: "cefee6db00000000")
        #expect(target.threshold == 0xdbe6_fece)
        #expect(target.difficulty.hashes == 5_000_000_001)
        #expect(try Target(compact: "ffffffffffffffff").difficulty.hashes == 1)
        #expect(try Target(compact: "0100000000000000").difficulty.hashes == .max)
    }

    @Test func readsUpperCaseDigits() throws {
        #expect(try Target(compact: "711B0D00") == Target(compact: "711b0d00"))
    }

    @Test(arguments: ["00000000", "0000000000000000"]) func rejectsZeroTarget(text: String) {
        #expect(throws: TargetError.zero) { try Target(compact: text) }
        #expect(Target(threshold: 0) == nil)
    }

    @Test(arguments: ["", "7", "711b0d", "711b0d0", "711b0d000", "711b0d00711b0d", "711b0d00711b0d00ff"])
    func rejectsOtherLengths(text: String) {
        #expect(throws: TargetError.notHex(digits: text.count)) { try Target(compact: text) }
    }

    @Test(arguments: ["711b0dzz", "0x1b0d00", "-11b0d00", "711b 0d0", "711b０d", "711b0d00711b0d0\u{0}"])
    func rejectsOtherCharacters(text: String) {
        #expect(throws: TargetError.notHex(digits: text.utf8.count)) { try Target(compact: text) }
    }

    @Test func saysWhatIsWrong() {
        #expect(TargetError.notHex(digits: 8).description.contains("has 8 characters"))
        #expect(TargetError.zero.description.contains("zero"))
    }

    @Test(arguments: [1, 2, 3, 30, 5000, 1_000_003, 0xffff_ffff])
    func roundsDifficultyLikeAPool(hashes: UInt64) throws {
        let target = Target(try #require(Difficulty(hashes)))
        #expect(target.threshold == .max / hashes)
        #expect(target.difficulty.hashes == hashes)
    }

    @Test func asksForAHashStrictlyBelow() throws {
        let target = try #require(Target(threshold: 1000))
        #expect(target.isMet(by: try digest(highWord: 999, rest: 0xff)))
        #expect(!target.isMet(by: try digest(highWord: 1000, rest: 0)))
        #expect(!target.isMet(by: try digest(highWord: 1001, rest: 0)))
    }

    /// A pool must never refuse for low difficulty what the widened target let through.
    @Test func neverIsEasierThanThePoolsDifficulty() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            let difficulty = try #require(Difficulty(UInt64.random(in: 1...0xffff_ffff, using: &random)))
            let top = UInt32(truncatingIfNeeded: (UInt64.max / difficulty.hashes) >> 32)
            let target = try Target(compact: Nonce(top).hex)
            #expect(difficulty.isMet(by: try digest(highWord: target.threshold - 1, rest: 0xff)))
        }
    }

    private func digest(highWord: UInt64, rest: UInt8) throws -> Digest {
        let high = (0..<8).map { UInt8(truncatingIfNeeded: highWord >> UInt64($0 * 8)) }
        return try #require(Digest(bytes: [UInt8](repeating: rest, count: 24) + high))
    }
}
