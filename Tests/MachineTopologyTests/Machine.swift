import Glibc
import MachineTopology
import Testing

/// One recorded machine, with what its XML file says when counted by hand.
struct Machine: Sendable, CustomTestStringConvertible {
    let file: String
    let pus: Int
    let cores: Int
    let nodes: Int
    let packages: Int
    let l3: Int
    let l2: Int
    let name: String
    /// Threads for scratchpads of 128 KiB, 256 KiB, 1 MiB, 2 MiB and 4 MiB.
    let threads: [Int]

    var testDescription: String { file }
    var path: String { Self.folder + file + ".xml" }

    func snapshot() throws -> TopologySnapshot { try TopologySnapshot(xml: path) }

    static let folder =
        String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex)) + "/../Topologies/"

    static func named(_ file: String) throws -> TopologySnapshot { try TopologySnapshot(xml: folder + file + ".xml") }

    /// Thread counts are worked out in the comments: caches × what each holds, no more than its PUs.
    static let all: [Machine] = [
        // 8 MiB shared by 8 PUs, four L2 of 2 MiB: 64, 32, 8, 4, 2 scratchpads.
        Machine(
            file: "AMD_FX_8320_windows_2_0_4",
            pus: 8,
            cores: 4,
            nodes: 1,
            packages: 1,
            l3: 1,
            l2: 4,
            name: "AMD FX(tm)-8320 Eight-Core Processor",
            threads: [8, 8, 8, 4, 2]
        ),
        // Four times 6 MiB, each shared by 8 PUs with four L2 of 2 MiB: for 2 MiB the L2 caches hold 4, the L3 only 3.
        Machine(
            file: "AMD_Opteron_6278_x2_UMA_windows_2_0_4",
            pus: 32,
            cores: 16,
            nodes: 1,
            packages: 2,
            l3: 4,
            l2: 16,
            name: "AMD Opteron(tm) Processor 6278",
            threads: [32, 32, 32, 16, 4]
        ),
        // Eight times 5118 KiB shared by 4 PUs: 4, 2 and 1 of 1, 2 and 4 MiB.
        Machine(
            file: "AMD_Opteron_6348_x4_N8_linux_2_0_4",
            pus: 32,
            cores: 32,
            nodes: 4,
            packages: 4,
            l3: 8,
            l2: 32,
            name: "AMD Opteron(tm) Processor 6128",
            threads: [32, 32, 32, 16, 8]
        ),
        // Twice 8 MiB shared by 8 PUs: 8, 4 and 2 each.
        Machine(
            file: "AMD_Ryzen_7_2700X_windows_2_0_4",
            pus: 16,
            cores: 8,
            nodes: 1,
            packages: 1,
            l3: 2,
            l2: 8,
            name: "AMD Ryzen 7 2700X Eight-Core Processor",
            threads: [16, 16, 16, 8, 4]
        ),
        // Twice 16 MiB shared by 8 PUs: 16 (8 PUs), 8 and 4 each.
        Machine(
            file: "AMD_Ryzen_7_3700X_windows_2_0_4",
            pus: 16,
            cores: 8,
            nodes: 1,
            packages: 1,
            l3: 2,
            l2: 8,
            name: "AMD Ryzen 7 3700X 8-Core Processor",
            threads: [16, 16, 16, 16, 8]
        ),
        // 8 MiB shared by 8 PUs: 8, 4 and 2.
        Machine(
            file: "Intel_Core_i7-3770_linux_2_0_4",
            pus: 8,
            cores: 4,
            nodes: 1,
            packages: 1,
            l3: 1,
            l2: 4,
            name: "Intel(R) Core(TM) i7-3770 CPU @ 3.40GHz",
            threads: [8, 8, 8, 4, 2]
        ),
        // 4 MiB shared by 4 PUs: 4, 2 and 1.
        Machine(
            file: "Intel_Core_i7-7660U_windows_2_0_4",
            pus: 4,
            cores: 2,
            nodes: 1,
            packages: 1,
            l3: 1,
            l2: 2,
            name: "Intel(R) Core(TM) i7-7660U CPU @ 2.50GHz",
            threads: [4, 4, 4, 2, 1]
        ),
        // Four times 20 MiB shared by 16 PUs: 20 (16 PUs), 10 and 5 each.
        Machine(
            file: "Intel_Xeon_E5-4650_0_x4_N4_windows_2_0_4",
            pus: 64,
            cores: 32,
            nodes: 4,
            packages: 4,
            l3: 4,
            l2: 32,
            name: "Intel(R) Xeon(R) CPU E5-4650 0 @ 2.70GHz",
            threads: [64, 64, 64, 40, 20]
        ),
        // Ten L2 of 1 MiB, one a core, no L3: none holds 2 MiB.
        Machine(
            file: "hwloc-16amd64-8n2c-cpusets",
            pus: 10,
            cores: 10,
            nodes: 5,
            packages: 6,
            l3: 0,
            l2: 10,
            name: "S4881",
            threads: [10, 10, 10, 10, 10]
        ),
        // L3 of 4 MiB with 3, 1, 1 and 2 PUs online: 4, 2 and 1 scratchpads each: 3+1+1+2, 2+1+1+2, 1+1+1+1.
        Machine(
            file: "hwloc-16em64t-4s2c2t-offlines",
            pus: 7,
            cores: 6,
            nodes: 1,
            packages: 4,
            l3: 4,
            l2: 6,
            name: "unknown machine",
            threads: [7, 7, 7, 6, 4]
        ),
        // 24 times 20 MiB shared by 16 PUs: 16, 10 and 5 each; 384 is more than the pool's 240.
        Machine(
            file: "hwloc-192em64t-24n8c2t",
            pus: 384,
            cores: 192,
            nodes: 24,
            packages: 24,
            l3: 24,
            l2: 192,
            name: "Intel(R) Xeon(R) CPU E5-4640 0 @ 2.40GHz",
            threads: [240, 240, 240, 240, 120]
        ),
        // Twice 20 MiB shared by 16 PUs.
        Machine(
            file: "hwloc-32em64t-2n8c2t-pci-noio",
            pus: 32,
            cores: 16,
            nodes: 2,
            packages: 2,
            l3: 2,
            l2: 16,
            name: "Intel(R) Xeon(R) CPU E5-2650 0 @ 2.00GHz",
            threads: [32, 32, 32, 20, 10]
        ),
        // PUs straight below the nodes: each is its own core, without a cache.
        Machine(
            file: "hwloc-8intel64-4n2t-memattrs",
            pus: 8,
            cores: 8,
            nodes: 4,
            packages: 0,
            l3: 0,
            l2: 0,
            name: "node:4 pu:2",
            threads: [8, 8, 8, 8, 8]
        ),
        // Two cores of two PUs, no cache known: one thread a core.
        Machine(
            file: "hwloc-fakecpukinds",
            pus: 4,
            cores: 2,
            nodes: 1,
            packages: 1,
            l3: 0,
            l2: 0,
            name: "unknown machine",
            threads: [2, 2, 2, 2, 2]
        ),
    ]
}

let kib = 1 << 10
let mib = 1 << 20
let scratchpadSizes = [128 * kib, 256 * kib, 1 * mib, 2 * mib, 4 * mib]

/// A file in the system's temporary folder, deleted at the end.
@discardableResult
func withFile<Value>(_ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
    var template = Array("/tmp/blocminer-topology-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    var written = 0
    while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        written += count
    }
    close(descriptor)
    return try body(path)
}

func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk.prefix(count) }
    return bytes
}
