import MiningTestKit
import MiningWork
import Testing

@Suite struct PeerTextTests {
    @Test func leavesOrdinaryTextAlone() {
        let text = "Block reward 21.4576 BLOC — ça va, Привет, 你好 🙂!"
        #expect(PeerText.printable(text) == text)
        #expect(PeerText.printable("") == "")
    }

    @Test func disarmsTerminalEscapes() {
        #expect(PeerText.printable("\u{1B}[31mred\u{1B}[0m\u{1B}]0;title\u{7}!") == "red!")
        #expect(PeerText.printable("\u{9B}2Jgone\u{7F}") == "gone")
        #expect(PeerText.printable("a\u{1B}[38;5;1 qb\u{1B}[1\nc") == "abc")
        #expect(PeerText.printable("a\u{1B}]8;;http://x\u{1B}\\b\u{9D}0;t\u{9C}c\u{1B}Pdcs\u{1B}\\d") == "abcd")
        #expect(PeerText.printable("a\u{1B}]never ends") == "a")
        #expect(PeerText.printable("\u{1B}\u{1B}Invalid [31m") == "Invalid [31m")
    }

    @Test func keepsToOneLine() {
        #expect(PeerText.printable("a\r\nb\tc\u{0}d\u{2028}e\u{2029}f\u{85}g") == "abcdefg")
    }

    @Test(arguments: [0x061C, 0x200B, 0x200E, 0x200F, 0x202A, 0x202D, 0x202E, 0x2066, 0x2069, 0xFEFF, 0xE0041])
    func dropsDirectionAndInvisibleMarks(value: UInt32) throws {
        let mark = try #require(Unicode.Scalar(value))
        #expect(PeerText.printable("ok\(String(mark))ko") == "okko")
    }

    @Test func cutsALongMessage() {
        let shown = PeerText.printable(String(repeating: "x", count: 9000))
        #expect(shown == String(repeating: "x", count: 200) + "…")
    }

    @Test func marksNoCutWhereNothingIsLost() {
        #expect(PeerText.printable("12345", limit: 5) == "12345")
        #expect(PeerText.printable("12345\n\n", limit: 5) == "12345")
        #expect(PeerText.printable("123456", limit: 5) == "12345…")
    }

    @Test func boundsCombiningMarksToo() {
        let pile = "e" + String(repeating: "\u{301}", count: 9000)
        #expect(PeerText.printable(pile).unicodeScalars.count == 201)
    }

    @Test func letsNoControlCharacterThrough() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let shown = PeerText.printable(String(decoding: random.bytes(400), as: UTF8.self))
            #expect(shown.unicodeScalars.count <= 201)
            #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        }
    }
}
