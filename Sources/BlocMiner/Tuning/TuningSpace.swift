internal import CryptoNight
internal import MachineTopology

/// What may be tried, and where to start.
struct TuningSpace: Sendable {
    /// Thread counts, the planner's guess first.
    let threads: [Int]
    /// Paths, the most promising first.
    let paths: [InstructionSet]
    /// Scratchpads that there is memory for.
    let scratchpads: Int
    /// Whether there is room for what the reserved huge pages hold, and no more.
    var keepsToReserve = false
    /// The lanes that were asked for; nil for any.
    var fixedLanes: Int?

    /// Lane counts that are tried first: every small one, then ever wider steps.
    static let usualLanes = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64]

    /// Lanes on each thread for which reserved pages have to suffice to be worth the search's while.
    private static let worthwhileLanes = 8

    /// Lane counts of the first round.
    var coarseLanes: [Int] { fixedLanes.map { [$0] } ?? Self.usualLanes }

    /// Lanes that a worker needs room for, when as many threads work as may.
    var mostLanes: Int {
        fixedLanes ?? max(1, min(HashKernel.laneRange.upperBound, scratchpads / max(1, threads.max() ?? 1)))
    }

    /// Threads and lanes to start with: the first trial's.
    var first: (threads: Int, lanes: Int) { (threads.first ?? 1, fixedLanes ?? 1) }

    /// Whether there is room for the form. One lane always has: nothing could be mined otherwise.
    func admits(_ form: WorkForm) -> Bool { 1...mostLanes ~= form.lanes }
}

extension TuningSpace {
    /// What may be tried on `topology` within `limits`: the planner's threads, one for each core, one for each PU; the
    /// best two paths; and as much memory as the limits name, else a quarter of what is free.
    init(_ variant: HashVariant, limits: HashingLimits, topology: TopologySnapshot) throws(MinerError) {
        let guess = try limits.plan(for: variant, on: topology).threads.count
        let allowed = topology.allowedPUs
        let more =
            limits.threads == nil && limits.affinity == nil ? [Set(allowed.map(\.core)).count, allowed.count] : []
        var threads = [guess]
        for count in more.map({ min($0, ThreadLimits.poolThreads) }) where !threads.contains(count) {
            threads.append(count)
        }
        self.threads = threads
        paths = limits.path.map { [$0] } ?? Array(InstructionSet.supported.reversed().prefix(2))
        let memory = (limits.memoryBytes ?? AvailableMemory.bytes / 4) / variant.memoryBytes
        let reserve = HugePageReserve.current.available * PageBacking.hugePageBytes / variant.memoryBytes
        keepsToReserve =
            switch limits.hugePages {
            case .require: true
            case .prefer: reserve >= Self.worthwhileLanes * (threads.max() ?? 1)
            case .off: false
            }
        scratchpads = keepsToReserve ? min(memory, reserve) : memory
        fixedLanes = limits.lanes
    }
}
