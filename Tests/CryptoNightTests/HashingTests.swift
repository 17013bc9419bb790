import CryptoNight
import MiningTestKit
import MiningWork
import Testing

/// Hashing without a workspace to keep.
@Suite struct HashingTests {
    private static let names = ["cn-pico", "cn/r", "cn-lite/1"]

    private func vectors(_ name: String) throws -> (HashVariant, [HashVector]) {
        (try #require(HashVariant(named: name)), try HashVector.all(of: name))
    }

    @Test(arguments: names) func hashesOneInput(name: String) throws {
        let (variant, vectors) = try vectors(name)
        let vector = try #require(vectors.first)
        #expect(try variant.digest(of: vector.input, height: vector.height) == vector.digest)
    }

    @Test(arguments: names, [1, 3]) func hashesABatchOfSeveralHeightsInTheirOrder(name: String, lanes: Int) throws {
        let (variant, vectors) = try vectors(name)
        let chosen = Array(vectors.prefix(7))
        let digests = try variant.digests(of: chosen.map { HashInput($0.input, height: $0.height) }, lanes: lanes)
        #expect(digests == chosen.map(\.digest))
    }

    @Test func hashesNothingToNothing() throws {
        #expect(try vectors("cn-pico").0.digests(of: []) == [])
    }

    @Test func verifiesClaimsInFullWidth() throws {
        let (variant, vectors) = try vectors("cn-pico")
        let vector = try #require(vectors.first)
        let input = HashInput(vector.input)
        // The largest difficulty that the digest meets lies between 2^64 / (w + 1) and 2^64 / w.
        let word = vector.digest.words[3]
        let met = try #require(Difficulty(UInt64.max / (word &+ 1)))
        let missed = try #require(Difficulty(UInt64.max / word + 1))
        let claims = [WorkClaim(input, meets: met), WorkClaim(input, meets: missed)]
        #expect(try variant.verify(claims) == [true, false])
        #expect(try variant.verify(vector.input, meets: met))
        #expect(try !variant.verify(vector.input, meets: missed))
    }

    @Test func refusesWhatItCannotHash() throws {
        let variant = try #require(HashVariant(named: "cn/r"))
        #expect(throws: HashingError.input(.missingHeight(variant: "cn/r"))) {
            try variant.digest(of: [UInt8](repeating: 1, count: 76))
        }
        let short = try #require(HashVariant(named: "cn/1"))
        #expect(throws: HashingError.self) { try short.digest(of: [1, 2, 3]) }
    }
}
