import MiningWork
import Testing

@testable import LoopbackPool

@Suite struct VariableDifficultyTests {
    @Test(arguments: [(3.0, UInt64(1000)), (50, 4), (400, 100_000)])
    func settlesAtOneShareInTheInterval(hashesPerSecond: Double, start: UInt64) throws {
        var generator = SeededGenerator(seed: 11)
        var difficulty = VariableDifficulty(try #require(Difficulty(start)), shareInterval: .seconds(10), at: .zero)
        var now = 0.0
        var nextShare = 0.0
        func wait(_ difficulty: VariableDifficulty) -> Double {
            // The time to the next share of a memoryless search, in units of its mean: a sum that averages 1.
            let chance = (0..<4).map { _ in Double.random(in: 0...0.5, using: &generator) }.reduce(0, +)
            return chance * Double(difficulty.current.hashes) / hashesPerSecond
        }
        nextShare = wait(difficulty)
        for _ in 0..<20_000 {
            now += 1
            while nextShare <= now {
                let before = difficulty.current
                _ = difficulty.accepted(before, at: .seconds(nextShare))
                nextShare += wait(difficulty)
            }
            if difficulty.retarget(at: .seconds(now)) { nextShare = now + wait(difficulty) }
        }
        let ideal = hashesPerSecond * 10
        #expect((ideal / 2...ideal * 2).contains(Double(difficulty.current.hashes)))
    }

    @Test func changesAtMostToTheDoubleOrHalf() throws {
        var difficulty = VariableDifficulty(try #require(Difficulty(101)), shareInterval: .seconds(1), at: .zero)
        for _ in 0..<7 { #expect(try difficulty.accepted(#require(Difficulty(101)), at: .milliseconds(1)) == false) }
        #expect(try difficulty.accepted(#require(Difficulty(101)), at: .milliseconds(1)) == true)
        #expect(difficulty.current.hashes == 202)
        #expect(difficulty.retarget(at: .seconds(100)) == true)
        #expect(difficulty.current.hashes == 101)
        #expect(difficulty.retarget(at: .seconds(200)) == true)
        #expect(difficulty.current.hashes == 51)
    }

    @Test func staysWithinItsBounds() throws {
        var lowest = VariableDifficulty(try #require(Difficulty(1)), shareInterval: .seconds(1), at: .zero)
        #expect(lowest.retarget(at: .seconds(1000)) == false)
        #expect(lowest.current.hashes == 1)
        var highest = VariableDifficulty(try #require(Difficulty(1 << 47 + 5)), shareInterval: .seconds(1), at: .zero)
        for _ in 0..<40 { _ = highest.accepted(highest.current, at: .zero) }
        #expect(highest.current.hashes == VariableDifficulty.highest)
        var beyond = VariableDifficulty(try #require(Difficulty(.max)), shareInterval: .seconds(1), at: .zero)
        for _ in 0..<8 { _ = beyond.accepted(beyond.current, at: .zero) }
        #expect(beyond.current.hashes == .max)
        #expect(beyond.retarget(at: .seconds(1000)) == true)
        #expect(beyond.current.hashes == 1 << 63)
    }

    @Test(arguments: [nil, Duration.zero, .seconds(-1)])
    func leavesAFixedDifficultyAlone(interval: Duration?) throws {
        var difficulty = VariableDifficulty(try #require(Difficulty(7)), shareInterval: interval, at: .zero)
        for _ in 0..<20 { #expect(difficulty.accepted(difficulty.current, at: .seconds(1)) == false) }
        #expect(difficulty.retarget(at: .seconds(9999)) == false)
    }
}

@Suite struct ChainTipTests {
    /// Block 1 of a private BLOC chain, as its daemon accepted it.
    @Test func buildsTheBlobOfARealBlock() throws {
        let root = try #require(Hex.decode("e7a108aac4a879b4ebf843d073d950bb58dd369b1b74b2306ca4adbebc3a3dc5"))
        let tip = ChainTip(height: 1, previousID: ChainTip.genesisID, timestamp: 1_796_068_439)
        var blob = tip.hashingBlob(root: root, highNonceByte: 0)
        blob.replaceSubrange(39..<43, with: Nonce(1_133_604_441).bytes)
        let hashed =
            "0500d7a8b7d806acd5682403287ad25d94769adb80fbcd45de591ecfd5c86d5176bb9a10ff5baa596e9143"
            + "e7a108aac4a879b4ebf843d073d950bb58dd369b1b74b2306ca4adbebc3a3dc501"
        #expect(Hex.encode(blob) == hashed)
    }

    @Test(arguments: [0, 1, 1 << 28, 1 << 34, 1 << 35, UInt64.max])
    func keepsTheNonceAtItsPlaceWhateverTheTime(timestamp: UInt64) {
        let tip = ChainTip(height: 1, previousID: ChainTip.genesisID, timestamp: timestamp)
        let blob = tip.hashingBlob(root: [UInt8](repeating: 9, count: 32), highNonceByte: 0xAB)
        #expect(blob.count == 76)
        #expect(Array(blob[39..<43]) == [0, 0, 0, 0xAB])
        #expect(blob[2..<6].allSatisfy { $0 >= 0x80 })
        #expect((1...0x7f).contains(blob[6]))
    }
}

@Suite struct TargetTextTests {
    @Test(arguments: [
        (1, "ffffffff"), (30, "88888808"), (5000, "711b0d00"), (1_000_000, "c6100000"), (1_000_000_000, "04000000"),
        (1 << 32, "ffffffff00000000"), (5_000_000_000, "cefee6db00000000"),
    ])
    func writesTargetsAsPoolsDo(difficulty: UInt64, text: String) throws {
        #expect(try PoolMessage.target(#require(Difficulty(difficulty))) == text)
    }

    @Test func neverAsksForLessThanTheDifficulty() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let hashes = max(1, generator.next() >> UInt64.random(in: 0...63, using: &generator))
            let difficulty = try #require(Difficulty(hashes))
            #expect(try Target(compact: PoolMessage.target(difficulty)).threshold <= Target(difficulty).threshold)
        }
    }
}
