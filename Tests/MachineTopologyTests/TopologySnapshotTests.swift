import Glibc
import MachineTopology
import Testing

@Suite struct TopologySnapshotTests {
    @Test(arguments: Machine.all)
    func countsWhatTheFileHolds(_ machine: Machine) throws {
        let snapshot = try machine.snapshot()
        #expect(snapshot.pus.count == machine.pus)
        #expect(snapshot.coreCount == machine.cores)
        #expect(snapshot.nodes.count == machine.nodes)
        #expect(snapshot.packageCount == machine.packages)
        #expect(snapshot.caches.filter { $0.level == 3 }.count == machine.l3)
        #expect(snapshot.caches.filter { $0.level == 2 }.count == machine.l2)
        #expect(snapshot.name == machine.name)
        #expect(snapshot.allowedPUs.count == machine.pus)
        #expect(Set(snapshot.pus.map(\.osIndex)).count == machine.pus)
    }

    @Test func everyRecordedFileIsTested() throws {
        let folder = try #require(opendir(Machine.folder))
        defer { closedir(folder) }
        var files: Set<String> = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".xml") { files.insert(String(name.dropLast(4))) }
        }
        #expect(files == Set(Machine.all.map(\.file)))
    }

    @Test func tellsWhichPUsShareACache() throws {
        let snapshot = try Machine.named("AMD_Ryzen_7_2700X_windows_2_0_4")
        let l3 = snapshot.caches.filter { $0.level == 3 }
        #expect(l3.map(\.bytes) == [8 * mib, 8 * mib])
        #expect(l3.map(\.pus) == [Array(0..<8), Array(8..<16)])
        #expect(snapshot.pus.map(\.l3) == Array(repeating: 0, count: 8) + Array(repeating: 1, count: 8))
        #expect(snapshot.pus.map(\.core) == (0..<16).map { $0 / 2 })
        #expect(snapshot.pus.map(\.l2) == (0..<16).map { $0 / 2 })
    }

    @Test func leavesOutPUsThatAreOffline() throws {
        let snapshot = try Machine.named("hwloc-16em64t-4s2c2t-offlines")
        // The machine's CPU set is 0x905b.
        #expect(snapshot.pus.map(\.osIndex).sorted() == [0, 1, 3, 4, 6, 12, 15])
    }

    @Test func knowsPUsWhoseNodeHasNoMemory() throws {
        let snapshot = try Machine.named("hwloc-16amd64-8n2c-cpusets")
        #expect(snapshot.nodes.sorted() == [1, 2, 3, 4, 5])
        let homeless = snapshot.pus.filter { $0.node == nil }.map(\.osIndex).sorted()
        #expect(homeless == [0, 1, 12, 13, 14, 15])
    }

    @Test func ranksTheKindsOfCores() throws {
        let snapshot = try Machine.named("hwloc-fakecpukinds")
        var ranks: [Int: Int] = [:]
        for pu in snapshot.pus { ranks[pu.osIndex] = pu.efficiency }
        #expect(ranks == [0: 0, 1: 0, 2: 1, 3: 2])
    }

    @Test func buildsSyntheticMachines() throws {
        let snapshot = try TopologySnapshot(synthetic: "numa:2 l3:2(size=16777216) core:4 pu:2")
        #expect(snapshot.pus.count == 32)
        #expect(snapshot.coreCount == 16)
        #expect(snapshot.nodes == [0, 1])
        #expect(snapshot.caches.map(\.bytes) == [16 * mib, 16 * mib, 16 * mib, 16 * mib])
        #expect(snapshot.pus.map(\.node) == (0..<32).map { $0 / 16 })
    }

    @Test func countsNodesWithoutPUs() throws {
        let snapshot = try TopologySnapshot(
            synthetic: "[numa(memory=4096)] package:2 [numa(memory=1073741824)] core:2 pu:1"
        )
        #expect(snapshot.nodes.count == 3)
        #expect(snapshot.pus.count == 4)
        #expect(snapshot.pus.allSatisfy { $0.node != nil })
    }

    @Test func leavesDisallowedPUsInButNotAllowed() throws {
        let text = String(decoding: contents(of: Machine.folder + "Intel_Core_i7-3770_linux_2_0_4.xml"), as: UTF8.self)
        let narrowed = text.split(separator: "allowed_cpuset=\"0x000000ff\"", omittingEmptySubsequences: false)
            .joined(separator: "allowed_cpuset=\"0x00000012\"")
        let snapshot = try withFile(Array(narrowed.utf8)) { path throws in try TopologySnapshot(xml: path) }
        #expect(snapshot.pus.count == 8)
        #expect(snapshot.allowedPUs.map(\.osIndex).sorted() == [1, 4])
    }

    @Test func stripsControlCharactersFromTheName() throws {
        let text = String(
            decoding: contents(of: Machine.folder + "Intel_Core_i7-7660U_windows_2_0_4.xml"),
            as: UTF8.self
        )
        let pieces = text.split(separator: "Intel(R) Core(TM) i7-7660U CPU @ 2.50GHz")
        try #require(pieces.count == 2)
        let evil = "a\u{9B}31m  b\u{202E}c" + String(repeating: "d", count: 100)
        let snapshot = try withFile(Array((pieces[0] + evil + pieces[1]).utf8)) { path in
            try TopologySnapshot(xml: path)
        }
        #expect(snapshot.name.hasPrefix("a31m bcddd"))
        #expect(snapshot.name.count == 65)
        #expect(snapshot.name.hasSuffix("…"))
    }

    @Test func readsHwloc1Files() throws {
        let snapshot = try withFile(Array(Self.version1.utf8)) { path in try TopologySnapshot(xml: path) }
        #expect(snapshot.pus.map(\.osIndex) == [0, 1])
        #expect(snapshot.coreCount == 2)
        #expect(snapshot.caches.map(\.bytes) == [4 * mib])
    }

    private static let version1 = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE topology SYSTEM "hwloc.dtd">
        <topology>
          <object type="Machine" os_level="-1" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" \
        online_cpuset="0x00000003" allowed_cpuset="0x00000003" local_memory="1073741824">
            <object type="Cache" os_level="-1" cpuset="0x00000003" complete_cpuset="0x00000003" \
        online_cpuset="0x00000003" allowed_cpuset="0x00000003" cache_size="4194304" depth="2" cache_linesize="64">
              <object type="Core" os_level="-1" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" \
        online_cpuset="0x00000001" allowed_cpuset="0x00000001">
                <object type="PU" os_level="-1" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" \
        online_cpuset="0x00000001" allowed_cpuset="0x00000001"/>
              </object>
              <object type="Core" os_level="-1" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" \
        online_cpuset="0x00000002" allowed_cpuset="0x00000002">
                <object type="PU" os_level="-1" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" \
        online_cpuset="0x00000002" allowed_cpuset="0x00000002"/>
              </object>
            </object>
          </object>
        </topology>
        """
}
