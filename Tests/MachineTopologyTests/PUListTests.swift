import MachineTopology
import Testing

@Suite struct PUListTests {
    @Test(arguments: [
        ("0", [0], "0"),
        ("0,2-5", [0, 2, 3, 4, 5], "0,2-5"),
        ("3-3", [3], "3"),
        (" 1 , 2 - 3 ", [1, 2, 3], "1-3"),
        ("5,0", [5, 0], "5,0"),
        ("007", [7], "7"),
        ("0,1,2", [0, 1, 2], "0-2"),
        ("8190-8191", [8190, 8191], "8190-8191"),
    ])
    func readsAndPrints(_ text: String, pus: [Int], canonical: String) throws {
        let list = try PUList(text)
        #expect(list.pus == pus)
        #expect(list.description == canonical)
        #expect(try PUList(canonical) == list)
    }

    @Test(arguments: [
        ("", ""), (" ", " "), (",", ""), ("1,", ""), (",1", ""), ("1,,2", ""), ("-", "-"), ("-1", "-1"), ("1-", "1-"),
        ("0,5-2", "5-2"), ("0,x,3", "x"), ("1.5", "1.5"), ("0x1", "0x1"), ("+1", "+1"), ("1 2", "1 2"),
        ("1-2-3", "1-2-3"),
        ("8192", "8192"), ("0-8192", "0-8192"), ("99999999999999999999999", "99999999999999999999999"), ("1;2", "1;2"),
        ("٣", "٣"), ("1\n", "1\n"), ("0\u{0}", "0\u{0}"),
    ])
    func rejectsAndNamesTheOffendingPart(_ text: String, part: String) {
        #expect {
            try PUList(text)
        } throws: { error in
            guard case .badPUList(part, _) = error as? TopologyError else { return false }
            return true
        }
    }

    @Test(arguments: [("1,1", "1"), ("0-3,2", "2"), ("2-4,4-6", "4"), ("0-8191,0-8191", "0-8191")])
    func rejectsRepeats(_ text: String, part: String) {
        #expect {
            try PUList(text)
        } throws: { error in
            guard case .badPUList(part, let reason) = error as? TopologyError else { return false }
            return reason.contains("named twice")
        }
    }

    @Test func rejectsOverlongText() {
        let text = String(repeating: "1,", count: 20_481)
        #expect(throws: TopologyError.self) { try PUList(text) }
    }

    @Test(arguments: [[], [-1], [8192], [3, 3], [Int.max]])
    func rejectsBadNumbers(_ pus: [Int]) {
        #expect(throws: TopologyError.self) { try PUList(pus) }
    }

    @Test func printsEveryPUBack() throws {
        #expect(try PUList("0-8191").description == "0-8191")
        #expect(try PUList(Array(0...8191).map(String.init).joined(separator: ",")).pus.count == 8192)
    }

    @Test func readsBackWhatItPrintsForRandomLists() throws {
        var generator = SplitMix(state: 11)
        for _ in 0..<200 {
            let count = Int.random(in: 1...40, using: &generator)
            let pus = Array((0..<60).shuffled(using: &generator).prefix(count))
            let list = try PUList(pus)
            #expect(try PUList(list.description).pus == pus)
        }
    }

    @Test func survivesRandomText() {
        var generator = SplitMix(state: 12)
        let alphabet = Array("0123456789,--  x\u{7f}é")
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "0"
                }
            )
            guard let list = try? PUList(text) else { continue }
            #expect(!list.pus.isEmpty && Set(list.pus).count == list.pus.count)
        }
    }
}

/// Sebastiano Vigna's SplitMix64.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
