import MachineTopology
import MiningTestKit
import Testing

/// Files of hwloc 1: no version, caches called so, and NUMA nodes around what they serve.
@Suite struct HwlocVersion1Tests {
    @Test func readsNodesAroundPackages() throws {
        let snapshot = try Self.snapshot(Self.text())
        #expect(snapshot.pus.map(\.osIndex) == [0, 1, 2, 3])
        #expect(snapshot.pus.map(\.node) == [0, 0, 1, 1])
        #expect(snapshot.pus.map(\.l3) == [0, 0, 1, 1])
        #expect(snapshot.packageCount == 2)
        #expect(snapshot.caches.filter { $0.level == 3 }.map(\.bytes) == [8 << 20, 8 << 20])
    }

    /// As hwloc 2 writes files for hwloc 1: of two nodes beside one another, the second stands next to the first.
    @Test func readsNodesThatServeTheSamePUs() throws {
        let second = "</object><object type=\"NUMANode\" os_index=\"7\" \(Self.sets("0xc", node: "0x80"))/>"
        let snapshot = try Self.snapshot(Self.text(endOfLastNode: second))
        #expect(snapshot.nodes.sorted() == [0, 1, 7])
        #expect(snapshot.pus.count == 4)
    }

    @Test(arguments: [
        ("type=\"Socket\" os_index=\"1\" cpuset=\"0xc\"", "type=\"Socket\" os_index=\"1\" cpuset=\"0x4\"", "Cache"),
        (
            "os_index=\"1\" cpuset=\"0xc\" complete_cpuset=\"0xc\"",
            "os_index=\"1\" cpuset=\"0x3\" complete_cpuset=\"0x3\"",
            "Socket"
        ),
        (
            "os_index=\"3\" cpuset=\"0x8\" complete_cpuset=\"0x8\"",
            "os_index=\"2\" cpuset=\"0x4\" complete_cpuset=\"0x4\"", "Core"
        ),
    ])
    func turnsAwayObjectsThatDoNotFit(sound: String, damaged: String, type: String) throws {
        let parts = Self.text().split(separator: sound, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let error = #expect(throws: TopologyError.self) { try Self.snapshot(parts.joined(separator: damaged)) }
        #expect(error?.description.contains("type \(type) is out of place") == true)
    }

    @Test func survivesDamage() throws {
        var damage = Damage(seed: 1)
        let donor = Array(Self.text(endOfLastNode: "</object><object type=\"NUMANode\"/>").utf8)
        for _ in 0..<Damage.rounds {
            let bytes = damage.applied(to: Array(Self.text().utf8), donor: donor)
            try withFile(bytes) { path in
                do {
                    let snapshot = try TopologySnapshot(xml: path)
                    #expect(!snapshot.pus.isEmpty)
                } catch let error as TopologyError {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }

    private static func snapshot(_ text: String) throws -> TopologySnapshot {
        try withFile(Array(text.utf8)) { path in try TopologySnapshot(xml: path) }
    }

    private static func sets(_ cpus: String, node: String) -> String {
        ["cpuset", "complete_cpuset", "online_cpuset", "allowed_cpuset"].map { "\($0)=\"\(cpus)\"" }.joined(
            separator: " "
        )
            + " nodeset=\"\(node)\" complete_nodeset=\"\(node)\" allowed_nodeset=\"\(node)\""
    }

    /// Two nodes, each around one package with one cache, two cores and two PUs.
    private static func text(endOfLastNode: String = "</object>") -> String {
        var lines = ["<topology>", "<object type=\"Machine\" os_index=\"0\" \(sets("0xf", node: "0x3"))>"]
        for (node, cpus) in ["0x3", "0xc"].enumerated() {
            let sets = sets(cpus, node: "0x\(node + 1)")
            lines.append("<object type=\"NUMANode\" os_index=\"\(node)\" \(sets) local_memory=\"1073741824\">")
            lines.append("<object type=\"Socket\" os_index=\"\(node)\" \(sets)>")
            lines.append("<object type=\"Cache\" \(sets) cache_size=\"8388608\" depth=\"3\" cache_linesize=\"64\">")
            for pu in [2 * node, 2 * node + 1] {
                let sets = Self.sets("0x\(1 << pu)", node: "0x\(node + 1)")
                lines.append("<object type=\"Core\" os_index=\"\(pu)\" \(sets)>")
                lines.append("<object type=\"PU\" os_index=\"\(pu)\" \(sets)/>")
                lines.append("</object>")
            }
            lines += ["</object>", "</object>", node == 1 ? endOfLastNode : "</object>"]
        }
        return (lines + ["</object>", "</topology>"]).joined(separator: "\n")
    }
}
