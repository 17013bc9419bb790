import CryptoNight
import MiningTestKit
import MiningWork
import Testing

@Suite struct KeccakTests {
    @Test func computesMonerosVectors() throws {
        let lines = try TestData.vectors.lines(of: "monero-fast.txt")
        #expect(lines.count > 300)
        for line in lines {
            let fields = line.split(separator: " ")
            let input = try #require(fields[1] == "x" ? [] : Hex.decode(fields[1]))
            #expect(Keccak256.digest(of: input) == Digest(hex: fields[0]))
        }
    }
}
