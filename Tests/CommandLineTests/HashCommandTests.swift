import BlocMiner
import Glibc
import Testing

@testable import blocminer

struct HashOrderTests {
    private static func order(_ line: String, _ defaults: HashDefaults = HashDefaults()) throws -> HashOrder {
        try HashOrder(line: .text(Array(line.utf8)), defaults: defaults)
    }

    @Test func readsAlgorithmHeightAndInput() throws {
        let order = try Self.order(#"{"algo":"cryptonight/r","height":1806260,"input":"0aFF","more":[1]}"#)
        #expect(order.function.variant.name == "cn/r")
        #expect(order.function.height == 1_806_260)
        #expect(order.input == [0x0A, 0xFF])
    }

    @Test func leavesOutAHeightThatIsNotNeeded() throws {
        #expect(try Self.order(#"{"algo":"cn/0","height":5,"input":"00"}"#).function.height == nil)
    }

    @Test func takesDefaultsFromTheCommandLine() throws {
        let defaults = HashDefaults(variant: HashVariant(named: "cn/r"), height: 7)
        #expect(try Self.order(#"{"input":"00"}"#, defaults).function.height == 7)
        #expect(try Self.order(#"{"input":"00","algo":"cn/0"}"#, defaults).function.variant.name == "cn/0")
    }

    @Test(arguments: [
        ("", "not JSON"), ("[]", "expected an object"), ("{", "not JSON"), ("5468", "expected an object"),
        (#"{"algo":"cn/0"}"#, "\"input\" is missing"), (#"{"algo":"cn/0","input":7}"#, "\"input\" is not a string"),
        (#"{"algo":"cn/0","input":null}"#, "\"input\" is not a string"),
        (#"{"algo":[],"input":"00"}"#, "\"algo\" is not a string"),
        (#"{"algo":"cn/0","input":"00","height":-1}"#, "\"height\" is not a whole number"),
        (#"{"algo":"cn/0","input":"00","height":1.5}"#, "\"height\" is not a whole number"),
        (#"{"algo":"cn/0","input":"00","height":"1"}"#, "\"height\" is not a whole number"),
        (#"{"algo":"cn/0","input":"00","height":18446744073709551616}"#, "\"height\" is not a whole number"),
        (#"{"algo":"monero","input":"00"}"#, "did you mean"),
        (#"{"input":"00"}"#, "\"algo\" is missing"), (#"{"algo":"cn/99","input":"00"}"#, "'cn/99'"),
        (#"{"algo":"cn/0","input":"0"}"#, "not hex"), (#"{"algo":"cn/0","input":"zz"}"#, "not hex"),
        (#"{"algo":"cn/0","input":""}"#, "1 bytes or more"), (#"{"algo":"cn/1","input":"00"}"#, "43 bytes or more"),
        (#"{"algo":"cn/r","input":"00"}"#, "needs a block height"),
    ])
    func refusesABadLine(line: String, reason: String) {
        let error = #expect(throws: HashOrderError.self) { try Self.order(line) }
        #expect(error?.reason.contains(reason) == true)
    }

    @Test func refusesAnOversizedLine() {
        #expect(throws: HashOrderError.self) { try HashOrder(line: .oversized, defaults: HashDefaults()) }
    }
}

/// Reads what a pipe holds.
struct LineReaderTests {
    private static func windows(of text: [UInt8]) throws -> [[LineReader.Line]] {
        let path = "/tmp/blocminer-lines-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let file = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer {
            close(file)
            unlink(path)
        }
        #expect(write(file, text, text.count) == text.count)
        lseek(file, 0, SEEK_SET)
        var reader = LineReader(descriptor: file)
        var windows: [[LineReader.Line]] = []
        while true {
            let window = try reader.nextWindow()
            guard !window.isEmpty else { return windows }
            windows.append(window)
        }
    }

    @Test(arguments: [
        ("", []), ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("\n\n", ["", ""]), ("a\n\nb", ["a", "", "b"]),
    ])
    func splitsAtLineFeeds(text: String, expected: [String]) throws {
        let lines = try Self.windows(of: Array(text.utf8)).flatMap(\.self)
        #expect(lines == expected.map { .text(Array($0.utf8)) })
    }

    @Test func boundsAWindow() throws {
        let windows = try Self.windows(of: [UInt8](repeating: UInt8(ascii: "\n"), count: 1000))
        #expect(windows.allSatisfy { $0.count <= LineReader.windowLines })
        #expect(windows.map(\.count).reduce(0, +) == 1000)
    }

    @Test func dropsTheBytesOfAnOversizedLine() throws {
        let longest = [UInt8](repeating: 0x61, count: LineReader.longestLine)
        let lines = try Self.windows(of: longest + [0x0A] + longest + [0x61, 0x0A, 0x62]).flatMap(\.self)
        #expect(lines == [.text(longest), .oversized, .text([0x62])])
    }

    @Test func takesWhatIsThereFromAPipe() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], "one\ntw", 6) == 6)
        var reader = LineReader(descriptor: ends[0])
        #expect(try reader.nextWindow() == [.text(Array("one".utf8))])
        #expect(write(ends[1], "o\n", 2) == 2)
        #expect(try reader.nextWindow() == [.text(Array("two".utf8))])
        close(ends[1])
        #expect(try reader.nextWindow().isEmpty)
    }

    @Test func tellsThatAFolderCannotBeRead() {
        let folder = open("/", O_RDONLY)
        defer { close(folder) }
        #expect(throws: StreamError.self) {
            var reader = LineReader(descriptor: folder)
            _ = try reader.nextWindow()
        }
    }
}

struct HashDeskTests {
    private static let lines = [
        #"{"algo":"cn/upx2","input":"01"}"#, "bad", #"{"algo":"cn-pico","input":"02"}"#,
        #"{"algo":"cn/upx2","input":"03"}"#, #"{"algo":"cn/upx2","input":"04"}"#, #"{"algo":"cn-pico","input":"05"}"#,
        "worse",
    ]

    private static func results(lanes: Int) throws -> [Digest?] {
        let orders = lines.map { line in
            Result { () throws(HashOrderError) in
                try HashOrder(line: .text(Array(line.utf8)), defaults: HashDefaults())
            }
        }
        var results: [Digest?] = []
        try HashDesk(path: .portable, lanes: lanes).work(through: orders) { result throws(CommandError) in
            results.append(try? result.get())
        }
        return results
    }

    @Test func deliversInOrderWhateverTheLanes() throws {
        let single = try Self.results(lanes: 1)
        #expect(single.map { $0 == nil } == [false, true, false, false, false, false, true])
        #expect(Set(single.compactMap(\.self)).count == 5)
        for lanes in 2...4 { #expect(try Self.results(lanes: lanes) == single) }
    }
}
