import MiningWork
import Testing

@Suite struct DigestTests {
    @Test func keepsByteOrder() throws {
        let bytes = (0..<32).map(UInt8.init)
        let digest = try #require(Digest(bytes: bytes))
        #expect(digest.bytes == bytes)
        #expect(digest.words[0] == 0x0706_0504_0302_0100)
        #expect(digest.words[3] == 0x1f1e_1d1c_1b1a_1918)
        #expect(Digest(words: digest.words) == digest)
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func rejectsOtherCounts(count: Int) {
        #expect(Digest(bytes: [UInt8](repeating: 7, count: count)) == nil)
        #expect(Digest(hex: String(repeating: "07", count: count)) == nil)
    }

    @Test func takesASliceOfALargerArray() throws {
        let bytes = (0..<40).map(UInt8.init)
        #expect(try #require(Digest(bytes: bytes[8...])).bytes == Array(8..<40))
    }

    @Test func writesLowerCaseWhateverItRead() throws {
        let upper = String(repeating: "AbCDEF01", count: 8)
        let digest = try #require(Digest(hex: upper))
        #expect(digest.hex == upper.lowercased())
        #expect("\(digest)" == digest.hex)
    }

    @Test func rejectsTextThatIsNotHex() {
        #expect(Digest(hex: String(repeating: "0g", count: 32)) == nil)
        #expect(Digest(hex: String(repeating: "0", count: 63)) == nil)
    }
}
