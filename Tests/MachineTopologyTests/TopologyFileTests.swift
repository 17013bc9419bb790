import Glibc
import MachineTopology
import Testing

@Suite struct TopologyFileTests {
    @Test func namesAFileThatIsMissing() {
        let path = "/nonexistent/machine.xml"
        #expect(throws: TopologyError.unreadableFile(path: path, reason: "No such file or directory")) {
            try TopologySnapshot(xml: path)
        }
    }

    @Test(arguments: ["", "/tmp/a\u{0}b"])
    func rejectsPathsThatAreNone(_ path: String) {
        #expect(throws: TopologyError.unreadableFile(path: path, reason: "not a file's path")) {
            try TopologySnapshot(xml: path)
        }
    }

    @Test(arguments: ["/tmp", "/dev/null"])
    func rejectsWhatIsNoRegularFile(_ path: String) {
        #expect(throws: TopologyError.notRegularFile(path: path)) { try TopologySnapshot(xml: path) }
    }

    @Test func rejectsAPipeWithoutWaitingForAWriter() throws {
        try withFile([]) { path in
            let pipe = path + ".pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            defer { unlink(pipe) }
            #expect(throws: TopologyError.notRegularFile(path: pipe)) { try TopologySnapshot(xml: pipe) }
        }
    }

    @Test func rejectsAHugeFile() throws {
        try withFile([]) { path in
            try #require(truncate(path, 1 << 40) == 0)
            #expect(throws: TopologyError.oversizedFile(path: path, limitBytes: 16 << 20)) {
                try TopologySnapshot(xml: path)
            }
        }
    }

    @Test(arguments: [
        ("", "isn't XML"),
        ("processor : 0\nmodel name : x\n", "isn't XML"),
        ("<", "cut short"),
        ("<?xml version=\"1.0\"?>", "no topology element"),
        ("<html><body/></html>", "no hwloc topology"),
        ("<topology version=\"2.0\"></topology>", "no processing unit"),
        ("<topology version=\"3.0\"></topology>", "version 3.0"),
        ("<topology version=\"2.0\"", "cut short"),
        ("<topology version=\"2.0\"><object type=\"PU\"/></topology>", "no cpuset"),
        (
            "<topology version=\"2.0\"><object type=\"PU\" os_index=\"0\" cpuset=\"0xf...f\"/></topology>",
            "no sound cpuset"
        ),
        ("<topology version=\"2.0\"><object/></topology>", "no type"),
        ("<topology version=\"2.0\"><a></b></topology>", "closed in order"),
        ("<topology version=2.0></topology>", "malformed"),
        ("<!DOCTYPE topology [<!ENTITY a \"b\">]><topology/>", "entities"),
        ("<!-- <topology> --><html/>", "no hwloc topology"),
        ("<!-- --", "cut short"),
        ("<topology>\u{0}</topology>", "zero byte"),
        (String(repeating: "<topology>", count: 200), "too deep"),
    ])
    func saysWhatIsWrongWithTheContents(_ text: String, reason: String) throws {
        try withFile(Array(text.utf8)) { path in
            #expect {
                try TopologySnapshot(xml: path)
            } throws: { error in
                guard let error = error as? TopologyError, case .notTopologyFile(path, let told) = error else {
                    return false
                }
                return told.contains(reason) && error.description.contains(path)
            }
        }
    }

    /// hwloc 2.9 itself crashes on objects whose complete_cpuset is missing.
    @Test func turnsAwayAFileThatWouldCrashHwloc() throws {
        let path = Machine.folder + "AMD_Ryzen_7_3700X_windows_2_0_4.xml"
        let text = String(decoding: contents(of: path), as: UTF8.self)
        let damaged = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.contains("type=\"PU\" os_index=\"3\"")
                ? line.split(separator: "complete_cpuset").joined(separator: "complete1cpuset") : String(line)
        }
        try withFile(Array(damaged.joined(separator: "\n").utf8)) { path in
            #expect(
                throws: TopologyError.notTopologyFile(
                    path: path,
                    reason: "an object of type PU has no complete_cpuset"
                )
            ) {
                try TopologySnapshot(xml: path)
            }
        }
    }

    /// What else hwloc 2.9 crashes on, or reports on stderr.
    @Test(arguments: [
        ("<object type=\"Machine\" SETS", "<object type=\"Group\" SETS", "type Group is out of place"),
        ("os_index=\"1\" ONE", "os_index=\"0\" ZERO", "type PU is out of place"),
        ("os_index=\"1\" ONE", "os_index=\"1\" ZERO", "the CPU set of another"),
        ("os_index=\"1\" ONE", "os_index=\"5\" FIVE", "type PU is out of place"),
        ("os_index=\"1\" ONE", "os_index=\"4294967295\" ONE", "type PU has no sound os_index"),
        ("type=\"NUMANode\"", "type=\"MemCache\"", "no NUMA node"),
        ("type=\"Core\" SETS", "type=\"Core\" ZERO", "type PU is out of place"),
        ("type=\"Core\" SETS", "type=\"Machine\" SETS", "type Machine is out of place"),
    ])
    func turnsAwayObjectsThatDoNotFit(_ sound: String, damaged: String, reason: String) throws {
        let sets = { (cpus: String) in
            "cpuset=\"\(cpus)\" complete_cpuset=\"\(cpus)\" nodeset=\"0x1\" complete_nodeset=\"0x1\""
        }
        let whole = """
            <topology version="2.0"><object type="Machine" SETS><object type="NUMANode" os_index="0" SETS/>
            <object type="Core" SETS><object type="PU" os_index="0" ZERO/><object type="PU" os_index="1" ONE/></object>
            </object></topology>
            """
        let expanded = { (text: String) in
            [("SETS", "0x3"), ("ZERO", "0x1"), ("ONE", "0x2"), ("FIVE", "0x20")].reduce(text) { text, word in
                text.split(separator: word.0, omittingEmptySubsequences: false).joined(separator: sets(word.1))
            }
        }
        let snapshot = try withFile(Array(expanded(whole).utf8)) { path in try TopologySnapshot(xml: path) }
        #expect(snapshot.pus.map(\.osIndex) == [0, 1])
        let parts = whole.split(separator: sound, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        try withFile(Array(expanded(parts.joined(separator: damaged)).utf8)) { path in
            #expect {
                try TopologySnapshot(xml: path)
            } throws: { error in
                guard case .notTopologyFile(_, let told) = error as? TopologyError else { return false }
                return told.contains(reason)
            }
        }
    }

    @Test func survivesDamagedFiles() throws {
        var damage = Damage(seed: 2026)
        let files = Machine.all.filter { $0.pus <= 64 }.map { contents(of: $0.path) }
        for round in 0..<Damage.rounds {
            let bytes = damage.applied(to: files[round % files.count], donor: files[(round / 3) % files.count])
            try withFile(bytes) { path in
                do {
                    let snapshot = try TopologySnapshot(xml: path)
                    let plan = try ThreadPlan(topology: snapshot, scratchpadBytes: 2 * mib)
                    #expect((1...snapshot.allowedPUs.count).contains(plan.threads.count))
                } catch let error as TopologyError {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }

    @Test(arguments: [
        "", "nonsense", "pu:0", "pu:-1", "core:99999999999999999999 pu:1", "numa:4096 core:4096 pu:2", "pu:0x7fffffff",
        "l3:2(size=", "pu:2\u{0}", String(repeating: "core:1 ", count: 400),
    ])
    func rejectsSyntheticNonsense(_ text: String) {
        #expect(throws: TopologyError.badSynthetic(text: text)) { try TopologySnapshot(synthetic: text) }
    }

    @Test func printsNoControlCharactersOfAPath() throws {
        let error = TopologyError.unreadableFile(path: "a\u{1B}[31m\n\u{202E}b", reason: "x")
        #expect(error.description.contains("\"a[31m b\""))
    }
}

/// Damages files the way broken disks and careless editors do: cut, bytes replaced, lines moved, values swapped.
struct Damage {
    /// Raise it by hand to look for crashes.
    static let rounds = 300
    private var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(state: seed) }

    mutating func applied(to bytes: [UInt8], donor: [UInt8]) -> [UInt8] {
        // Too short for lines to be moved.
        guard bytes.count > 1000 else { return bytes }
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
        case 1: withBytesReplaced(bytes)
        case 2: withLinesMoved(bytes, donor: donor)
        default: withValuesSwapped(bytes)
        }
    }

    private mutating func withBytesReplaced(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                Array("0123456789abcdefx\"<>/ ,\u{0}".utf8).randomElement(using: &generator) ?? 0
        }
        return bytes
    }

    private mutating func withLinesMoved(_ bytes: [UInt8], donor: [UInt8]) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        var lines = bytes.split(separator: newline)
        let donated = donor.split(separator: newline)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard lines.count > 1 else { break }
            let index = Int.random(in: 0..<lines.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: lines.remove(at: index)
            case 1: lines.insert(lines[index], at: Int.random(in: 0..<lines.count, using: &generator))
            case 2: lines[index] = donated.randomElement(using: &generator) ?? []
            default: lines.swapAt(index, Int.random(in: 0..<lines.count, using: &generator))
            }
        }
        return Array(lines.joined(separator: [newline]))
    }

    private mutating func withValuesSwapped(_ bytes: [UInt8]) -> [UInt8] {
        var pieces = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        let extremes = [
            "4294967295", "-1", "0x0", "", "0xffffffff,0xffffffff", "0xf...f", "18446744073709551615", "NUMANode", "PU",
            "Group", "Machine", "Core",
        ]
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            guard pieces.count > 2 else { break }
            let index = Int.random(in: 0..<pieces.count / 2, using: &generator) * 2 + 1
            let other = Int.random(in: 0..<pieces.count / 2, using: &generator) * 2 + 1
            let extreme = extremes.randomElement(using: &generator) ?? ""
            pieces[index] = Bool.random(using: &generator) ? pieces[other] : Array(extreme.utf8)[...]
        }
        return Array(pieces.joined(separator: [UInt8(ascii: "\"")]))
    }
}
