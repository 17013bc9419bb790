/// Takes PUs one after another: free cores before SMT siblings, faster cores before slower ones, the cache with most room
/// left before fuller ones, the NUMA node with fewest threads before busier ones.
struct Seating {
    private(set) var domains: [CacheDomain]
    private var nodeLoad: [Int?: Int] = [:]

    init(_ domains: [CacheDomain]) { self.domains = domains }

    /// The first `count` PUs: as many as the caches have room for, then, if that's too few, the rest regardless of them.
    mutating func take(_ count: Int) -> [TopologySnapshot.PU] {
        var taken: [TopologySnapshot.PU] = []
        while taken.count < count, let pu = takeNext(withinCapacity: true) ?? takeNext(withinCapacity: false) {
            taken.append(pu)
        }
        return taken
    }

    private mutating func takeNext(withinCapacity: Bool) -> TopologySnapshot.PU? {
        let open = domains.indices.filter { !withinCapacity || domains[$0].taken < domains[$0].capacity }
        let best = open.compactMap(preference).min { $0.isBefore($1) }
        guard let best else { return nil }
        domains[best.domain].taken += 1
        nodeLoad[best.pu.node, default: 0] += 1
        return best.pu
    }

    private func preference(for index: Int) -> Preference? {
        let domain = domains[index]
        guard let seat = domain.nextSeat else { return nil }
        return Preference(
            domain: index,
            pu: seat.pu,
            keys: [
                seat.siblingRank, -(seat.pu.efficiency ?? 0), domain.taken - domain.capacity,
                nodeLoad[seat.pu.node] ?? 0, index,
            ]
        )
    }

    private struct Preference {
        let domain: Int
        let pu: TopologySnapshot.PU
        /// Compared in order; smaller goes first.
        let keys: [Int]

        func isBefore(_ other: Preference) -> Bool { keys.lexicographicallyPrecedes(other.keys) }
    }
}
