import BlocChain
import CryptoNight
import MiningTestKit
import MiningWork
import Testing

/// Roots that a daemon computed over made-up leaves.
private struct MerkleVectors: Decodable {
    struct Row: Decodable {
        let count: Int
        let root: String
    }

    let rows: [Row]

    private enum CodingKeys: String, CodingKey { case rows = "tree_hash" }
}

@Suite struct MerkleTreeTests {
    @Test func agreesWithMonero() throws {
        for line in try TestData.vectors.lines(of: "monero-tree.txt") {
            let words = line.split(separator: " ")
            let joined = try #require(words.last)
            let bytes = try #require(Hex.decode(joined))
            let leaves = try stride(from: 0, to: bytes.count, by: 32).map {
                try #require(Digest(bytes: bytes[$0..<$0 + 32]))
            }
            #expect(MerkleTree.root(of: leaves)?.hex == words.first.map(String.init), "\(leaves.count) leaves")
        }
    }

    @Test func agreesWithADaemon() throws {
        let rows = try TestData.vectors.json(MerkleVectors.self, of: "merkle-and-difficulty.json").rows
        #expect(rows.count == 22)
        for row in rows {
            let leaves = (0..<row.count).map { Keccak256.digest(of: Array("leaf\(row.count)/\($0)".utf8)) }
            #expect(MerkleTree.root(of: leaves)?.hex == row.root, "\(row.count) leaves")
        }
    }

    @Test func hasNoRootWithoutLeaves() { #expect(MerkleTree.root(of: []) == nil) }

    @Test func isTheOnlyLeafItself() throws {
        let leaf = try #require(Digest(bytes: [UInt8](repeating: 3, count: 32)))
        #expect(MerkleTree.root(of: [leaf]) == leaf)
    }
}
