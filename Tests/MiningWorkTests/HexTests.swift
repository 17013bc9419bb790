import MiningTestKit
import MiningWork
import Testing

@Suite struct HexTests {
    @Test func readsBackWhatItWrote() {
        var random = SeededGenerator(seed: 1)
        for count in 0..<80 {
            let bytes = random.bytes(count)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test func writesTwoLowerCaseDigitsForEachByte() {
        #expect(Hex.encode([0x00, 0x0a, 0xa0, 0xff]) == "000aa0ff")
        #expect(Hex.encode([]) == "")
    }

    @Test func readsBothCases() {
        #expect(Hex.decode("aBCdEf") == [0xab, 0xcd, 0xef])
        #expect(Hex.decode(digits: Array("0A".utf8)) == [10])
    }

    @Test func readsNothingFromNothing() { #expect(Hex.decode("") == []) }

    @Test(arguments: ["0", "abc", "00000"]) func rejectsOddLengths(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test(arguments: ["0x", "zz", "0 ", " 0", "0\n", "-1", "+1", "/0", ":0", "@a", "Ga", "`a", "ga", "\u{0}0"])
    func rejectsJunk(text: String) { #expect(Hex.decode(text) == nil) }

    @Test(arguments: ["００", "１", "é", "é0", "a\u{301}", "аа", "🙂", "٠٠"])
    func rejectsUnicode(text: String) { #expect(Hex.decode(text) == nil) }
}
