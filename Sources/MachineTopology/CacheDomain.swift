/// The allowed PUs that share one last-level cache (L3, else L2; without either, one core), and how many
/// scratchpads the cache has room for.
struct CacheDomain {
    /// The cache; nil for a core without one.
    let cache: TopologySnapshot.Cache?
    /// How many scratchpads the cache holds, whatever the number of PUs.
    let cacheHolds: Int
    /// How many the L2 caches below an L3 hold together.
    let level2Holds: Int
    /// The PUs in the order to be taken: one of each core first, faster kinds of core first.
    let seats: [Seat]
    /// How many of `seats` are taken.
    var taken = 0

    /// One PU, and how many PUs of its core are to be taken before it.
    struct Seat {
        let pu: TopologySnapshot.PU
        let siblingRank: Int
    }

    /// Scratchpads that stay in cache. Those that fit in the L2 caches are in cache whether or not the
    /// L3 keeps a copy, so the larger of both counts; their sum would be right for strictly exclusive caches alone.
    var holds: Int { max(cacheHolds, level2Holds) }
    /// `holds`, but at least one, since any thread is better than an idle cache, and no more than there are PUs.
    var capacity: Int { min(max(1, holds), seats.count) }
    /// The PU to be taken next.
    var nextSeat: Seat? { taken < seats.count ? seats[taken] : nil }

    /// Every domain that has an allowed PU, in the machine's order.
    static func all(of topology: TopologySnapshot, scratchpadBytes: Int) -> [CacheDomain] {
        let sizes = CacheSizes(topology)
        var order: [Place] = []
        var members: [Place: [TopologySnapshot.PU]] = [:]
        for pu in topology.allowedPUs {
            let place = sizes.place(of: pu)
            if members[place] == nil { order.append(place) }
            members[place, default: []].append(pu)
        }
        return order.map {
            CacheDomain(place: $0, pus: members[$0] ?? [], sizes: sizes, scratchpadBytes: scratchpadBytes)
        }
    }

    private init(place: Place, pus: [TopologySnapshot.PU], sizes: CacheSizes, scratchpadBytes: Int) {
        cache = sizes.caches[place]
        seats = Self.seats(for: pus)
        cacheHolds = cache.map { $0.bytes / scratchpadBytes } ?? 1
        guard case .l3 = place else {
            level2Holds = 0
            return
        }
        level2Holds = Set(pus.compactMap(\.l2)).reduce(0) { sum, id in
            // A size that a file made up could overflow the sum; no domain needs more than its PUs.
            sum + min((sizes.caches[.l2(id)]?.bytes ?? 0) / scratchpadBytes, pus.count)
        }
    }

    private static func seats(for pus: [TopologySnapshot.PU]) -> [Seat] {
        var ranks: [Int: Int] = [:]
        let fastestFirst = stablySorted(pus) { -($0.efficiency ?? 0) }
        let seats = fastestFirst.map { pu in
            let rank = ranks[pu.core, default: 0]
            ranks[pu.core] = rank + 1
            return Seat(pu: pu, siblingRank: rank)
        }
        return stablySorted(seats) { $0.siblingRank }
    }
}

/// Where a PU's last-level cache is.
private enum Place: Hashable {
    case l3(Int)
    case l2(Int)
    case core(Int)
}

/// The caches whose size is known.
private struct CacheSizes {
    private(set) var caches: [Place: TopologySnapshot.Cache] = [:]

    init(_ topology: TopologySnapshot) {
        for cache in topology.caches where cache.bytes > 0 {
            if cache.level == 3 { caches[.l3(cache.id)] = cache }
            if cache.level == 2 { caches[.l2(cache.id)] = cache }
        }
    }

    func place(of pu: TopologySnapshot.PU) -> Place {
        if let id = pu.l3, caches[.l3(id)] != nil { return .l3(id) }
        if let id = pu.l2, caches[.l2(id)] != nil { return .l2(id) }
        return .core(pu.core)
    }
}

/// Swift's sort doesn't promise to keep equals in order.
private func stablySorted<Element>(_ elements: [Element], by key: (Element) -> Int) -> [Element] {
    elements.enumerated().sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }.map(\.element)
}
