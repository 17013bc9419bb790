import MachineTopology
import Testing

@Suite struct ThreadPlanTests {
    @Test(arguments: Machine.all)
    func fillsTheLastLevelCaches(_ machine: Machine) throws {
        let snapshot = try machine.snapshot()
        for (size, threads) in zip(scratchpadSizes, machine.threads) {
            let plan = try ThreadPlan(topology: snapshot, scratchpadBytes: size)
            #expect(plan.threads.count == threads, "scratchpads of \(size) bytes: \(plan.reasons)")
            #expect(plan.scratchpads == threads)
            #expect(plan.lanes == 1)
            #expect(Set(plan.threads.map(\.pu)).count == threads)
            #expect(!plan.reasons.isEmpty)
        }
    }

    @Test(arguments: Machine.all)
    func placesEachThreadWhereItsPUIs(_ machine: Machine) throws {
        let snapshot = try machine.snapshot()
        for placement in try ThreadPlan(topology: snapshot, scratchpadBytes: mib).threads {
            let pu = try #require(snapshot.pus.first { $0.osIndex == placement.pu })
            #expect(placement == ThreadPlan.Placement(pu: pu.osIndex, core: pu.core, node: pu.node, l3: pu.l3))
        }
    }

    @Test(arguments: Machine.all)
    func thePlanForFewerThreadsIsTheStartOfThePlan(_ machine: Machine) throws {
        let snapshot = try machine.snapshot()
        let whole = try ThreadPlan(topology: snapshot, scratchpadBytes: 2 * mib).threads
        for count in Set([1, whole.count / 2, whole.count]).filter({ $0 > 0 }) {
            let part = try ThreadPlan(
                topology: snapshot,
                limits: ThreadLimits(threads: count),
                scratchpadBytes: 2 * mib
            )
            #expect(part.threads == Array(whole.prefix(count)))
        }
    }

    @Test func takesDistinctCoresBeforeSiblings() throws {
        // Four scratchpads fit each L3 of four cores: no core gets two.
        let plan = try ThreadPlan(topology: Machine.named("AMD_Ryzen_7_2700X_windows_2_0_4"), scratchpadBytes: 2 * mib)
        #expect(plan.threads.map(\.core).sorted() == Array(0..<8))
        #expect(plan.reasons.contains("each of 2: L3 of 8 MiB holds 4 scratchpads of 2 MiB"))
        #expect(plan.reasons.contains { $0.hasPrefix("SMT siblings left free") })
    }

    @Test func takesSiblingsWhereTheCacheHasRoom() throws {
        let plan = try ThreadPlan(topology: Machine.named("AMD_Ryzen_7_3700X_windows_2_0_4"), scratchpadBytes: 2 * mib)
        #expect(Set(plan.threads.prefix(8).map(\.core)).count == 8)
        #expect(Set(plan.threads.suffix(8).map(\.core)).count == 8)
        #expect(plan.reasons.contains("8 of the threads share a core with another (SMT siblings)"))
    }

    @Test func spreadsOverNodesAndCaches() throws {
        let xeon = try Machine.named("Intel_Xeon_E5-4650_0_x4_N4_windows_2_0_4")
        let four = try ThreadPlan(topology: xeon, limits: ThreadLimits(threads: 4), scratchpadBytes: 2 * mib)
        #expect(Set(four.threads.map(\.node)) == [0, 1, 2, 3])
        let synthetic = try TopologySnapshot(synthetic: "numa:2 l3:2(size=16777216) core:4 pu:2")
        let two = try ThreadPlan(topology: synthetic, limits: ThreadLimits(threads: 2), scratchpadBytes: 2 * mib)
        #expect(two.threads.map(\.node) == [0, 1])
        let spread = try ThreadPlan(topology: synthetic, limits: ThreadLimits(threads: 4), scratchpadBytes: 2 * mib)
        #expect(Set(spread.threads.map(\.l3)) == [0, 1, 2, 3])
    }

    @Test func countsL2CachesWhereTheyHoldMoreThanTheL3() throws {
        let plan = try ThreadPlan(
            topology: Machine.named("AMD_Opteron_6278_x2_UMA_windows_2_0_4"),
            scratchpadBytes: 2 * mib
        )
        #expect(
            plan.reasons.first
                == "each of 4: L3 of 6 MiB holds 3 scratchpads of 2 MiB, but the L2 caches below it hold 4"
        )
    }

    @Test func lanesMultiplyTheScratchpads() throws {
        let snapshot = try TopologySnapshot(synthetic: "numa:2 l3:2(size=16777216) core:4 pu:2")
        for lanes in [1, 2, 5, 64] {
            let plan = try ThreadPlan(topology: snapshot, limits: ThreadLimits(lanes: lanes), scratchpadBytes: 2 * mib)
            #expect(plan.threads.count == 32, "\(lanes) lanes")
            #expect(plan.scratchpads == 32 * lanes)
        }
        let plan = try ThreadPlan(topology: snapshot, limits: ThreadLimits(lanes: 2), scratchpadBytes: 2 * mib)
        #expect(plan.reasons.first == "each of 4: L3 of 16 MiB holds 8 scratchpads of 2 MiB")
        #expect(plan.reasons.last == "2 lanes: each thread works on 4 MiB at once, in the caches or not")
    }

    @Test func plansAtLeastOneThreadForEachCache() throws {
        let plan = try ThreadPlan(
            topology: Machine.named("Intel_Core_i7-7660U_windows_2_0_4"),
            scratchpadBytes: 8 * mib
        )
        #expect(plan.threads.count == 1)
        #expect(plan.reasons.first == "L3 of 4 MiB holds no scratchpads of 8 MiB")
        #expect(plan.reasons.contains("a cache too small for a scratchpad gets one thread all the same"))
    }

    @Test func plansForOnePU() throws {
        let plan = try ThreadPlan(topology: TopologySnapshot(synthetic: "pu:1"), scratchpadBytes: 2 * mib)
        #expect(plan.threads == [ThreadPlan.Placement(pu: 0, core: 0, node: 0, l3: nil)])
        #expect(plan.reasons == ["core without a known L2 or L3 cache gets one thread"])
    }

    @Test func plansOneThreadACoreWithoutCaches() throws {
        let plan = try ThreadPlan(topology: TopologySnapshot(synthetic: "core:4 pu:2"), scratchpadBytes: 2 * mib)
        #expect(plan.threads.map(\.core) == [0, 1, 2, 3])
        #expect(plan.threads.map(\.pu) == [0, 2, 4, 6])
        #expect(
            plan.reasons == [
                "each of 4: core without a known L2 or L3 cache gets one thread",
                "SMT siblings left free: no cache is known to have room",
            ]
        )
    }

    @Test func takesTheFasterCoresFirst() throws {
        let plan = try ThreadPlan(topology: Machine.named("hwloc-fakecpukinds"), scratchpadBytes: 2 * mib)
        // PUs 3 and 2 are of the faster kinds, on cores 1 and 0.
        #expect(plan.threads.map(\.pu) == [3, 2])
        #expect(plan.reasons.contains("cores of the faster kind taken first"))
    }

    @Test func plansNoMoreThreadsThanThePoolAllows() throws {
        let snapshot = try TopologySnapshot(synthetic: "numa:2 core:150 pu:1")
        let plan = try ThreadPlan(topology: snapshot, scratchpadBytes: 2 * mib)
        #expect(plan.threads.count == 240)
        #expect(plan.threads.filter { $0.node == 0 }.count == 120)
        #expect(plan.reasons.contains("at most 240 threads: libdispatch's pool allows no more"))
        let fewer = try ThreadPlan(
            topology: snapshot,
            limits: ThreadLimits(maximumThreads: 7),
            scratchpadBytes: 2 * mib
        )
        #expect(fewer.threads.count == 7)
        #expect(fewer.reasons.contains("at most 7 threads"))
    }

    @Test func keepsToTheAllowedPUs() throws {
        let snapshot = try Machine.named("Intel_Core_i7-3770_linux_2_0_4").restricted(to: PUList("1,4"))
        let plan = try ThreadPlan(topology: snapshot, scratchpadBytes: 2 * mib)
        #expect(plan.threads.map(\.pu).sorted() == [1, 4])
        #expect(plan.reasons.first == "2 of 8 PUs allowed by the CPU set or affinity mask")
        #expect(plan.reasons.contains("some caches have room for more threads than they have allowed PUs"))
        let big = try ThreadPlan(topology: snapshot, scratchpadBytes: 8 * mib)
        #expect(big.threads.count == 1)
    }

    @Test func rejectsAMachineWithoutAllowedPUs() throws {
        let snapshot = try TopologySnapshot(synthetic: "pu:2").restricted(to: PUList("7"))
        #expect(throws: TopologyError.self) { try ThreadPlan(topology: snapshot, scratchpadBytes: mib) }
    }
}
