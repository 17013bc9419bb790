import Glibc
import Testing

@testable import blocminer

struct NumberTextTests {
    @Test(arguments: [
        (0, "0.0 H/s"), (0.4127, "0.413 H/s"), (4.127, "4.13 H/s"), (41.25, "41.3 H/s"), (13412.74, "13412.7 H/s"),
        (0.9999, "1.000 H/s"),
    ])
    func writesHashrates(rate: Double, expected: String) {
        #expect(NumberText.hashrate(rate) == expected)
    }

    @Test func writesDecimals() {
        #expect(NumberText.decimal(-1.05, places: 1) == "-1.1")
        #expect(NumberText.decimal(-0.01, places: 1) == "0.0")
        #expect(NumberText.decimal(2.5, places: 0) == "3")
        #expect(NumberText.decimal(7.03, places: 2) == "7.03")
        #expect(NumberText.decimal(.infinity, places: 1) == "inf")
        #expect(NumberText.decimal(.nan, places: 1) == "nan")
        #expect(NumberText.decimal(1e300, places: 1) == "1e+300")
    }

    @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (1536, "1536 bytes"), (131_072, "128 KiB"), (4 << 20, "4 MiB")])
    func writesSizes(bytes: Int, expected: String) {
        #expect(NumberText.bytes(bytes) == expected)
    }

    @Test func countsNouns() {
        #expect(NumberText.count(1, "lane") == "1 lane")
        #expect(NumberText.count(2, "lane") == "2 lanes")
        #expect(NumberText.count(0, "hash", plural: "hashes") == "0 hashes")
    }

    @Test(arguments: [
        (Duration.zero, "0 ms"), (.milliseconds(43), "43 ms"), (.microseconds(999_600), "1 s"),
        (.seconds(1.5), "1.5 s"),
        (.seconds(7), "7 s"), (.seconds(59.6), "1 min"), (.seconds(200), "3 min 20 s"), (.seconds(3600), "1 h"),
        (.seconds(7_500), "2 h 5 min"), (.seconds(3_605), "1 h"), (.seconds(187_200), "2 d 4 h"),
        (.seconds(-3), "0 ms"),
        (.seconds(9.97), "10 s"),
    ])
    func writesDurations(duration: Duration, expected: String) {
        #expect(DurationText.text(duration) == expected)
    }
}

struct WallTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_764_535_022, "2025-11-30T20:37:02Z"), (1_709_164_800, "2024-02-29T00:00:00Z"),
    ])
    func writesISO8601(seconds: Int, expected: String) {
        #expect(WallTime(secondsSince1970: seconds).iso8601 == expected)
    }

    @Test func writesLocalTimeInTheSameShape() {
        let time = WallTime(secondsSince1970: 1_764_535_022)
        #expect(time.dateAndTime.count == 19)
        #expect(time.dateAndTime.hasSuffix(" \(time.timeOfDay)"))
    }
}

struct StyledTextTests {
    @Test func keepsStylesApartFromText() {
        let text: StyledText = "\("accepted", .good) after \(43) ms"
        #expect(text.plain == "accepted after 43 ms")
        #expect(text.escaped == "\u{1B}[32maccepted\u{1B}[0m after 43 ms")
    }

    @Test func stripsControlCharacters() {
        let text: StyledText = "pool says \("\u{1B}]0;x\u{7}\nhi\u{1B}[2J")"
        #expect(text.plain == "pool says hi")
    }

    @Test func cutsAcrossPieces() {
        let text: StyledText = "\("abc", .bad)def"
        #expect(text.cut(to: 4).plain == "abcd")
        #expect(text.cut(to: 0).plain == "")
        #expect(text.cut(to: -1).plain == "")
    }

    @Test func nestsStyledText() {
        let inner: StyledText = "\("x", .strong)"
        let outer: StyledText = "<\(inner)>"
        #expect(outer.escaped == "<\u{1B}[1mx\u{1B}[0m>")
    }
}

struct JSONValueTests {
    @Test func keepsOrderAndEscapes() {
        let value: JSONValue = [
            "z": .text("a\"b\\c\n\u{1}é"), "a": .array([.integer(-1), .null, .boolean(true)]), "n": .number(.nan),
            "u": .unsigned(.max), "d": .number(0.5),
        ]
        #expect(
            value.line == #"{"z":"a\"b\\c\n\u0001é","a":[-1,null,true],"n":null,"u":18446744073709551615,"d":0.5}"#
        )
    }

    @Test func holdsOptionals() {
        #expect(JSONValue.optional(nil as String?).line == "null")
        #expect(JSONValue.optional(3).line == "3")
    }
}

struct TextTableTests {
    @Test func alignsColumns() {
        var table = TextTable([("name", .left), ("size", .right), ("", .left)])
        table.add(["a", "12345", ""])
        #expect(table.lines == ["name   size", "a     12345"])
    }

    @Test(arguments: [(0.0, 0), (0.5, 15), (1.0, 30), (7.0, 30), (-1.0, 0), (Double.nan, 0)])
    func fillsTheBar(fraction: Double, filled: Int) {
        #expect(ProgressBar.text(title: "t", fraction: fraction).count { $0 == "=" } == filled)
    }
}

struct MiningLogTests {
    private static func temporaryFile() -> String {
        "/tmp/blocminer-log-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    }

    private static func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func addsPlainLinesAndReopens() async throws {
        let (path, moved) = (Self.temporaryFile(), Self.temporaryFile())
        defer {
            unlink(path)
            unlink(moved)
        }
        let null = open("/dev/null", O_WRONLY)
        defer { close(null) }
        let log = try MiningLog(screen: Screen(TextStream(descriptor: null), allowsColor: true), file: path) {}
        await log.add("\("one", .good)", at: WallTime(secondsSince1970: 0))
        rename(path, moved)
        await log.reopenFile()
        await log.add("two", at: WallTime(secondsSince1970: 0))
        #expect(Self.lines(of: moved) == ["\(WallTime(secondsSince1970: 0).dateAndTime) one"])
        #expect(Self.lines(of: path).map { String($0.dropFirst(20)) } == ["log file opened again", "two"])
    }

    @Test func refusesAFolderAsLogFile() {
        let error = #expect(throws: LogFileError.self) { _ = try LogFile(path: "/tmp").path }
        #expect(error?.description.hasPrefix("can't open the log file '/tmp': ") == true)
    }

    @Test func takesAPipeAsLogFileIfSomebodyReadsIt() throws {
        let path = Self.temporaryFile()
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let error = #expect(throws: LogFileError.self) { _ = try LogFile(path: path).path }
        #expect(error?.reason == "it is a pipe that nobody reads")
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let file = try LogFile(path: path)
        try file.add("one")
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 4)
    }

    @Test func tellsThatTheSummaryDidNotArrive() async throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let log = try MiningLog(screen: Screen(TextStream(descriptor: full), allowsColor: false)) {}
        await log.add("a line may get lost")
        let error = await #expect(throws: StreamError.self) { try await log.addRaw("{}") }
        #expect(error?.code == ENOSPC)
    }

    @Test func tellsOnceThatNobodyReads() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let screen = Screen(TextStream(descriptor: ends[1]), allowsColor: false)
        let log = try MiningLog(screen: screen) { continuation.yield(1) }
        await log.add("one")
        await log.add("two")
        continuation.finish()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 1)
    }
}

struct BuildCommitTests {
    @Test func findsTheCommitInItsNote() {
        let commit = [UInt8](repeating: 0xAB, count: 20)
        #expect(BuildCommit.commit(in: BuildCommit.marker + commit) == String(repeating: "ab", count: 20))
        #expect(BuildCommit.commit(in: commit) == nil)
        #expect(BuildCommit.commit(in: BuildCommit.marker) == nil)
        #expect(BuildCommit.commit(in: BuildCommit.marker + [1]) == nil)
    }

    @Test func skipsOtherNotes() {
        let other: [UInt8] = [2, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0x58, 0, 0, 0, 7, 0, 0, 0]
        let wanted: [UInt8] = [4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + [1, 2, 3]
        #expect(ProgramFile.buildIdentifier(inNotes: other + wanted) == [1, 2, 3])
        #expect(ProgramFile.buildIdentifier(inNotes: other) == nil)
        #expect(ProgramFile.buildIdentifier(inNotes: Array((other + wanted).dropLast(2))) == nil)
        #expect(ProgramFile.buildIdentifier(inNotes: [UInt8](repeating: 0xFF, count: 40)) == nil)
    }

    @Test func readsNoProgramFromOtherFiles() {
        #expect(ProgramFile(path: "/dev/null")?.buildIdentifier == nil)
        let missing = ProgramFile(path: "/nonexistent")
        #expect(missing?.buildIdentifier == nil)
    }
}
