import Glibc
import MachineTopology
import Testing

/// A thread's affinity mask as the kernel tells it, to judge hwloc's by.
struct AffinityMask: Equatable {
    let pus: [Int]

    static func ofCallingThread() throws -> AffinityMask { try AffinityMask(status: "/proc/thread-self/status") }
    static func ofMainThread() throws -> AffinityMask { try AffinityMask(status: "/proc/self/status") }

    init(pus: [Int]) { self.pus = pus }

    private init(status path: String) throws {
        let lines = String(decoding: contents(of: path), as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("Cpus_allowed_list:") })
        pus = try PUList(String(line.dropFirst("Cpus_allowed_list:".count).drop { $0 == "\t" })).pus
    }

    /// Swift's Glibc module leaves out what needs _GNU_SOURCE; the function itself is there.
    func apply(to thread: pid_t) -> Bool {
        typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> Int32
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "sched_setaffinity") else { return false }
        var bits = [UInt8](repeating: 0, count: 1024)
        for pu in pus { bits[pu / 8] |= 1 << UInt8(pu % 8) }
        return unsafeBitCast(symbol, to: SetAffinity.self)(thread, bits.count, bits) == 0
    }
}

@Suite struct ThisMachineTests {
    @Test func readsThisMachine() throws {
        let snapshot = try TopologySnapshot.current()
        #expect(try snapshot.allowedPUs.map(\.osIndex).sorted() == AffinityMask.ofMainThread().pus)
        #expect(snapshot.pus.count <= sysconf(Int32(_SC_NPROCESSORS_CONF)))
        #expect(!snapshot.nodes.isEmpty)
        let plan = try ThreadPlan(topology: snapshot, scratchpadBytes: 2 * mib)
        #expect((1...snapshot.allowedPUs.count).contains(plan.threads.count))
    }

    @Test func keepsToTheAffinityMaskOfTheProcess() async {
        await #expect(processExitsWith: .success) {
            let last = try #require(try AffinityMask.ofMainThread().pus.last)
            try #require(AffinityMask(pus: [last]).apply(to: getpid()))
            let snapshot = try TopologySnapshot.current()
            #expect(snapshot.allowedPUs.map(\.osIndex) == [last])
            #expect(throws: TopologyError.tooManyThreads(asked: 2, allowed: 1)) {
                try ThreadPlan(topology: snapshot, limits: ThreadLimits(threads: 2), scratchpadBytes: 2 * mib)
            }
        }
    }
}
