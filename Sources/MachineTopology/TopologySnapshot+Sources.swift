import CHwloc
import Glibc

extension TopologySnapshot {
    /// The machine that this process runs on. A PU is allowed if both the CPU set (cgroup) and the affinity mask of the
    /// process's main thread let it be used. hwloc may move the calling thread from PU to PU while it reads and puts it back.
    public static func current() throws(TopologyError) -> TopologySnapshot {
        guard let topology = HwlocTopology(prepare: { _ in true }) else {
            throw .unreadableHost(reason: systemReason(errno))
        }
        return try TopologySnapshot(reading: topology, allowed: topology.processMask, source: "this machine")
    }

    /// The machine described by an hwloc XML file, as `lstopo machine.xml` writes it (hwloc 2, or hwloc 1 where hwloc 2
    /// can still read it). Any file is safe to give.
    public init(xml path: String) throws(TopologyError) {
        var bytes = try topologyFileBytes(at: path)
        if let flaw = TopologyDocument.flaw(in: bytes) { throw .notTopologyFile(path: path, reason: flaw) }
        bytes.append(0)
        let topology = HwlocTopology(text: bytes) { handle, text in
            hwloc_topology_set_xmlbuffer(handle, text, Int32(clamping: bytes.count)) == 0
        }
        guard let topology else { throw .notTopologyFile(path: path, reason: "hwloc finds its contents inconsistent") }
        try self.init(reading: topology, allowed: nil, source: "the topology file \"\(path)\"")
    }

    /// A machine made up from hwloc's synthetic description, such as `numa:2 l3:2(size=16777216) core:4 pu:2`.
    public init(synthetic text: String) throws(TopologyError) {
        guard text.utf8.count <= 1024, !text.utf8.contains(0), !text.isEmpty, Self.isModest(text) else {
            throw .badSynthetic(text: text)
        }
        let topology = HwlocTopology(text: Array(text.utf8) + [0]) { handle, text in
            hwloc_topology_set_synthetic(handle, text) == 0
        }
        guard let topology else { throw .badSynthetic(text: text) }
        try self.init(reading: topology, allowed: nil, source: "the synthetic topology \"\(text)\"")
    }

    /// Whether the counts multiply to a number of objects that fits in memory: hwloc builds whatever it is told to.
    private static func isModest(_ text: String) -> Bool {
        var objects = 1
        var depth = 0
        let levels = text.filter { character in
            depth += character == "(" ? 1 : 0
            defer { depth -= character == ")" ? 1 : 0 }
            return depth == 0
        }
        guard !levels.contains("-") else { return false }
        for word in levels.split(whereSeparator: { " :".contains($0) }) {
            let digits = word.prefix { $0.isNumber }
            if digits.isEmpty { continue }
            guard !digits.hasPrefix("0"), digits.utf8.count <= 4, let count = Int(digits) else { return false }
            objects *= count
            guard objects <= PUList.largestPU + 1 else { return false }
        }
        return true
    }
}

/// The C library's words for an error number.
func systemReason(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
