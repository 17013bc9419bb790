/// Puts into words what decided a plan.
struct PlanReasoning {
    let topology: TopologySnapshot
    let limits: ThreadLimits
    let domains: [CacheDomain]
    let suggested: Int
    let chosen: [TopologySnapshot.PU]
    let lanes: Int
    let scratchpadBytes: Int

    /// From the machine, through the caches, to the user's limits.
    var reasons: [String] {
        [allowed].compactMap { $0 } + caches + [room, choice, pool, siblings, kinds, lockstep].compactMap { $0 }
    }

    private var allowedPUs: [TopologySnapshot.PU] { topology.allowedPUs }

    private var allowed: String? {
        let total = topology.pus.count
        guard allowedPUs.count < total else { return nil }
        return "\(allowedPUs.count) of \(counted(total, "PU")) allowed by the CPU set or affinity mask"
    }

    /// One phrase for all caches that are alike.
    private var caches: [String] {
        var order: [String] = []
        var counts: [String: Int] = [:]
        for phrase in domains.map(phrase) {
            if counts[phrase] == nil { order.append(phrase) }
            counts[phrase, default: 0] += 1
        }
        return order.map { phrase in
            let count = counts[phrase] ?? 1
            return count == 1 ? phrase : "each of \(count): \(phrase)"
        }
    }

    private func phrase(for domain: CacheDomain) -> String {
        guard let cache = domain.cache else { return "core without a known L2 or L3 cache gets one thread" }
        let name = "L\(cache.level) of \(binarySize(cache.bytes))"
        if domain.level2Holds > domain.cacheHolds {
            return "\(name) holds \(load(domain.cacheHolds)), but the L2 caches below it hold \(domain.level2Holds)"
        }
        return "\(name) holds \(load(domain.cacheHolds))"
    }

    private func load(_ count: Int) -> String {
        let number = count == 0 ? "no" : "\(count)"
        return "\(number) scratchpad\(count == 1 ? "" : "s") of \(binarySize(scratchpadBytes))"
    }

    private var room: String? {
        if domains.contains(where: { $0.cache != nil && $0.holds == 0 }) {
            return "a cache too small for a scratchpad gets one thread all the same"
        }
        guard domains.contains(where: { $0.cache != nil && $0.holds > $0.seats.count }) else { return nil }
        return "some caches have room for more threads than they have allowed PUs"
    }

    private var choice: String? {
        let compared = suggested == chosen.count ? "as the caches suggest" : "where the caches suggest \(suggested)"
        if let list = limits.affinity {
            let part = chosen.count < list.pus.count ? "the first \(chosen.count) of PUs" : "PUs"
            return "\(part) \(list) named by the affinity list, \(compared)"
        }
        return limits.threads.map { "\(counted($0, "thread")) asked for, \(compared)" }
    }

    private var pool: String? {
        guard limits.threads == nil, limits.affinity == nil, suggested > limits.maximumThreads else { return nil }
        let cause = limits.maximumThreads == ThreadLimits.poolThreads ? ": libdispatch's pool allows no more" : ""
        return "at most \(counted(limits.maximumThreads, "thread"))\(cause)"
    }

    private var siblings: String? {
        let taken = chosen.count - Set(chosen.map(\.core)).count
        if taken > 0 { return "\(taken) of the threads share a core with another (SMT siblings)" }
        guard allowedPUs.count > Set(allowedPUs.map(\.core)).count else { return nil }
        if chosen.count != suggested || limits.affinity != nil { return "SMT siblings left free" }
        if domains.allSatisfy({ $0.cache == nil }) { return "SMT siblings left free: no cache is known to have room" }
        return "SMT siblings left free: the caches have no room for their scratchpads"
    }

    private var lockstep: String? {
        guard lanes > 1 else { return nil }
        return
            "\(lanes) lanes: each thread works on \(binarySize(lanes * scratchpadBytes)) at once, in the caches or not"
    }

    private var kinds: String? {
        guard limits.affinity == nil, Set(allowedPUs.map(\.efficiency)).count > 1 else { return nil }
        return "cores of the faster kind taken first"
    }
}
