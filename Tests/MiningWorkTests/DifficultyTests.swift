import MiningTestKit
import MiningWork
import Testing

/// Known answers of a daemon: is this hash good enough for this difficulty?
private struct DifficultyVectors: Decodable {
    struct Row: Decodable {
        let difficulty: UInt64
        let hash: String
        let accepted: Bool

        private enum CodingKeys: String, CodingKey {
            case difficulty, accepted
            case hash = "hash_bytes"
        }
    }

    let rows: [Row]

    private enum CodingKeys: String, CodingKey { case rows = "check_hash" }
}

@Suite struct DifficultyTests {
    @Test func agreesWithADaemonOnEveryEdge() throws {
        let rows = try TestData.vectors.json(DifficultyVectors.self, of: "merkle-and-difficulty.json").rows
        #expect(rows.count == 55)
        for row in rows {
            let difficulty = try #require(Difficulty(row.difficulty))
            let digest = try #require(Digest(hex: row.hash))
            #expect(difficulty.isMet(by: digest) == row.accepted, "\(row)")
        }
    }

    @Test func rejectsZero() {
        #expect(Difficulty(0) == nil)
        #expect(Difficulty(1)?.hashes == 1)
        #expect(Difficulty(.max)?.hashes == .max)
    }

    @Test func ordersEasierBeforeHarder() throws {
        let (easy, hard) = (try #require(Difficulty(10)), try #require(Difficulty(11)))
        #expect(easy < hard)
        #expect(!(hard < easy))
    }
}
