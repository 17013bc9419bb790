import MachineTopology
import Testing

@Suite struct ThreadLimitsTests {
    /// 8 PUs, PU p and p+4 on core p, one L3 of 8 MiB.
    private let i7 = Result { try Machine.named("Intel_Core_i7-3770_linux_2_0_4") }

    private func plan(_ limits: ThreadLimits, on topology: TopologySnapshot? = nil) throws -> ThreadPlan {
        try ThreadPlan(topology: topology ?? i7.get(), limits: limits, scratchpadBytes: 2 * mib)
    }

    @Test func threadsOverrideTheCaches() throws {
        let plan = try plan(ThreadLimits(threads: 6))
        #expect(plan.threads.count == 6)
        #expect(Set(plan.threads.prefix(4).map(\.core)).count == 4)
        #expect(plan.reasons.contains("6 threads asked for, where the caches suggest 4"))
        #expect(try self.plan(ThreadLimits(threads: 8)).threads.map(\.pu).sorted() == Array(0..<8))
        #expect(try self.plan(ThreadLimits(threads: 1)).threads.count == 1)
    }

    @Test(arguments: [0, -1, 241, Int.max, Int.min])
    func rejectsThreadCountsOutOfRange(_ threads: Int) {
        #expect(throws: TopologyError.threadCountOutOfRange(asked: threads, maximum: 240)) {
            try plan(ThreadLimits(threads: threads))
        }
    }

    @Test func rejectsMoreThreadsThanAllowedPUs() throws {
        #expect(throws: TopologyError.tooManyThreads(asked: 9, allowed: 8)) { try plan(ThreadLimits(threads: 9)) }
        let narrow = try i7.get().restricted(to: PUList("0-2"))
        #expect(throws: TopologyError.tooManyThreads(asked: 4, allowed: 3)) {
            try plan(ThreadLimits(threads: 4), on: narrow)
        }
        #expect(TopologyError.tooManyThreads(asked: 4, allowed: 3).description.contains("may use 3 PUs"))
    }

    @Test func affinityNamesThePUsInItsOrder() throws {
        let plan = try plan(ThreadLimits(affinity: PUList("5,0-2")))
        #expect(plan.threads.map(\.pu) == [5, 0, 1, 2])
        #expect(plan.threads.map(\.core) == [1, 0, 1, 2])
        #expect(plan.reasons.contains("PUs 5,0-2 named by the affinity list, as the caches suggest"))
    }

    @Test func threadsTakeTheFirstOfTheAffinityList() throws {
        let plan = try plan(ThreadLimits(threads: 2, affinity: PUList("5,0-2")))
        #expect(plan.threads.map(\.pu) == [5, 0])
        #expect(throws: TopologyError.affinityTooShort(asked: 3, listed: 2)) {
            try self.plan(ThreadLimits(threads: 3, affinity: PUList("0,1")))
        }
    }

    @Test func rejectsPUsThatAreUnknownOrNotAllowed() throws {
        #expect(throws: TopologyError.unknownPU(8, known: "0-7")) { try plan(ThreadLimits(affinity: PUList("0,8"))) }
        let narrow = try i7.get().restricted(to: PUList("0-2,5"))
        #expect(throws: TopologyError.disallowedPU(3, allowed: "0-2,5")) {
            try plan(ThreadLimits(affinity: PUList("0,3")), on: narrow)
        }
    }

    @Test func rejectsAnAffinityListBeyondThePool() throws {
        let large = try TopologySnapshot(synthetic: "core:300 pu:1")
        let list = try PUList("0-249")
        #expect(throws: TopologyError.affinityTooLong(listed: 250, maximum: 240)) {
            try plan(ThreadLimits(affinity: list), on: large)
        }
        #expect(try plan(ThreadLimits(threads: 240, affinity: list), on: large).threads.count == 240)
    }

    @Test(arguments: [0, -1, 65, Int.max])
    func rejectsLanesOutOfRange(_ lanes: Int) {
        #expect(throws: TopologyError.lanesOutOfRange(lanes)) { try plan(ThreadLimits(lanes: lanes)) }
    }

    @Test(arguments: [0, -1, (1 << 30) + 1, Int.max])
    func rejectsScratchpadsOutOfRange(_ bytes: Int) {
        #expect(throws: TopologyError.scratchpadOutOfRange(bytes: bytes)) {
            try ThreadPlan(topology: i7.get(), scratchpadBytes: bytes)
        }
    }

    @Test func keepsTheMaximumWithinThePool() {
        #expect(ThreadLimits(maximumThreads: 1000).maximumThreads == 240)
        #expect(ThreadLimits(maximumThreads: -3).maximumThreads == 1)
    }
}
