import CryptoNight
import MiningTestKit
import MiningWork
import Testing

@Suite struct VariantTableTests {
    /// A row of the specification's parameter table.
    struct Row: Decodable {
        let name: String
        let aliases: [String]
        let scratchpadBytes: Int
        let iterations: Int
        let addressMask: String
        let base: Int

        enum CodingKeys: String, CodingKey {
            case name, aliases, iterations, base
            case addressMask = "address_mask"
            case scratchpadBytes = "scratchpad_bytes"
        }
    }

    private let rows: [Row]

    init() throws { rows = try TestData.vectors.json([Row].self, of: "algorithms.json") }

    @Test func holdsTheSpecifiedVariantsAndNoOthers() {
        #expect(HashVariant.all.map(\.name) == rows.map(\.name))
    }

    @Test func agreesWithTheSpecificationInEveryParameter() throws {
        for row in rows {
            let variant = try #require(HashVariant(named: row.name))
            #expect(variant.scratchpadBytes == row.scratchpadBytes)
            let mask = try #require(Int(row.addressMask.dropFirst(2), radix: 16))
            #expect(variant.memoryBytes == mask + 16)
            #expect(variant.iterations == row.iterations)
            #expect(variant.algorithm.minimumBlobBytes == (row.base == 1 ? 43 : 1))
            #expect(variant.algorithm.needsHeight == (row.name == "cn/r"))
        }
    }

    @Test func resolvesEveryAliasInAnyCase() {
        for row in rows {
            for alias in row.aliases {
                #expect(HashVariant(named: alias)?.name == row.name)
                #expect(HashVariant(named: alias.uppercased())?.name == row.name)
            }
        }
    }

    @Test(arguments: ["cryptonight-haven", "haven", "bloc", "BLOC"])
    func resolvesTheCoinsNames(name: String) {
        #expect(HashVariant(named: name)?.name == "cn-heavy/xhv")
    }

    @Test func hasNoNameTwice() {
        let names = HashVariant.all.flatMap { [$0.name] + $0.algorithm.aliases }
        #expect(Set(names).count == names.count)
    }

    @Test func hasVectorsAndKnownAnswersForEveryVariant() throws {
        let vectors = try HashVector.all()
        for variant in HashVariant.all {
            #expect(vectors.contains { $0.algorithm == variant.name }, "\(variant.name) has no vector")
            #expect(KnownAnswer.all.filter { $0.variant == variant }.count >= 2, "\(variant.name)")
        }
        #expect(vectors.allSatisfy { HashVariant(named: $0.algorithm) != nil })
    }

    @Test func takesItsKnownAnswersFromTheVectors() throws {
        let vectors = try HashVector.all()
        for answer in KnownAnswer.all {
            let isVector = vectors.contains {
                $0.algorithm == answer.variant.name && $0.input == answer.input && $0.digest == answer.digest
                    && $0.height == answer.height
            }
            #expect(isVector, "\(answer.variant.name)")
        }
    }
}
