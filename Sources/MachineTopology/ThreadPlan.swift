/// Which PUs the worker threads go to, and why so many: a pure function of the machine, the user's limits and the size of
/// one scratchpad.
///
/// Without limits there are as many threads as scratchpads fit in the last-level caches, at least one for each cache.
/// Lanes don't change that: with several a thread no longer lives in the cache, so the cache says nothing about how many
/// threads are best. The first threads of a plan are the plan for fewer threads.
public struct ThreadPlan: Sendable, Equatable {
    /// One worker thread's place.
    public struct Placement: Sendable, Hashable, Codable {
        /// The PU's OS number.
        public let pu: Int
        /// The core's logical number, as in `TopologySnapshot.PU.core`.
        public let core: Int
        /// The OS number of the PU's NUMA node, if it has one.
        public let node: Int?
        /// The logical number of the PU's L3 cache, if it has one.
        public let l3: Int?

        /// A place put together by hand.
        public init(pu: Int, core: Int, node: Int?, l3: Int?) {
            self.pu = pu
            self.core = core
            self.node = node
            self.l3 = l3
        }
    }

    /// One place a thread, in the order of taking.
    public let threads: [Placement]
    /// Scratchpads that each thread works on at once.
    public let lanes: Int
    /// The size of one scratchpad.
    public let scratchpadBytes: Int
    /// Every limit that made the plan what it is, a phrase each.
    public let reasons: [String]

    /// Scratchpads of all threads together.
    public var scratchpads: Int { threads.count * lanes }

    /// The largest scratchpad that can be planned for: 1 GiB.
    public static let largestScratchpadBytes = 1 << 30

    /// Plans; throws where the limits ask for what the machine or the process's allowed PUs can't give.
    public init(
        topology: TopologySnapshot,
        limits: ThreadLimits = ThreadLimits(),
        scratchpadBytes: Int
    ) throws(TopologyError) {
        let lanes = limits.lanes ?? 1
        guard ThreadLimits.laneRange.contains(lanes) else { throw .lanesOutOfRange(lanes) }
        guard (1...Self.largestScratchpadBytes).contains(scratchpadBytes) else {
            throw .scratchpadOutOfRange(bytes: scratchpadBytes)
        }
        let allowed = topology.allowedPUs
        guard !allowed.isEmpty else { throw .noAllowedPU(source: topology.name) }
        let domains = CacheDomain.all(of: topology, scratchpadBytes: scratchpadBytes)
        let suggested = domains.reduce(0) { $0 + $1.capacity }
        try limits.checkThreads(allowed: allowed.count)
        let pus: [TopologySnapshot.PU]
        if let list = limits.affinity {
            pus = try limits.named(list, in: topology)
        } else {
            var seating = Seating(domains)
            pus = seating.take(min(limits.threads ?? suggested, limits.maximumThreads))
        }
        threads = pus.map { Placement(pu: $0.osIndex, core: $0.core, node: $0.node, l3: $0.l3) }
        self.lanes = lanes
        self.scratchpadBytes = scratchpadBytes
        let reasoning = PlanReasoning(
            topology: topology,
            limits: limits,
            domains: domains,
            suggested: suggested,
            chosen: pus,
            lanes: lanes,
            scratchpadBytes: scratchpadBytes
        )
        reasons = reasoning.reasons
    }
}

extension ThreadLimits {
    fileprivate func checkThreads(allowed: Int) throws(TopologyError) {
        guard let threads else { return }
        guard (1...maximumThreads).contains(threads) else {
            throw .threadCountOutOfRange(asked: threads, maximum: maximumThreads)
        }
        guard threads <= allowed else { throw .tooManyThreads(asked: threads, allowed: allowed) }
    }

    /// The PUs of an affinity list, each known and allowed; as many as there are to be threads.
    fileprivate func named(
        _ list: PUList,
        in topology: TopologySnapshot
    ) throws(TopologyError) -> [TopologySnapshot.PU] {
        var known: [Int: TopologySnapshot.PU] = [:]
        for pu in topology.pus { known[pu.osIndex] = pu }
        var named: [TopologySnapshot.PU] = []
        for index in list.pus {
            guard let pu = known[index] else {
                throw .unknownPU(index, known: topology.numbers(of: topology.pus))
            }
            guard pu.isAllowed else {
                throw .disallowedPU(index, allowed: topology.numbers(of: topology.allowedPUs))
            }
            named.append(pu)
        }
        let count = threads ?? named.count
        guard count <= named.count else { throw .affinityTooShort(asked: count, listed: named.count) }
        guard count <= maximumThreads else { throw .affinityTooLong(listed: named.count, maximum: maximumThreads) }
        return Array(named.prefix(count))
    }
}

extension ThreadPlan {
    /// The plan's first `count` threads.
    public func prefix(_ count: Int) -> ThreadPlan {
        ThreadPlan(
            threads: Array(threads.prefix(count)),
            lanes: lanes,
            scratchpadBytes: scratchpadBytes,
            reasons: reasons
        )
    }

    private init(threads: [Placement], lanes: Int, scratchpadBytes: Int, reasons: [String]) {
        self.threads = threads
        self.lanes = lanes
        self.scratchpadBytes = scratchpadBytes
        self.reasons = reasons
    }
}
