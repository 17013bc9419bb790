/// A machine as it was when read: its processing units, where they sit, and its caches. A plain value.
public struct TopologySnapshot: Sendable, Equatable {
    /// One processing unit (hardware thread).
    public struct PU: Sendable, Hashable {
        /// The operating system's number, the one that affinity masks use.
        public let osIndex: Int
        /// The core's logical number, counted from 0 over the whole machine (OS core numbers repeat from package to package).
        public let core: Int
        /// The package's logical number, if known.
        public let package: Int?
        /// The OS number of the NUMA node nearest to this PU; nil where its node has no memory that may be used.
        public let node: Int?
        /// The logical number of its L3 cache, as in `Cache.id`; nil without one.
        public let l3: Int?
        /// The logical number of its L2 cache, as in `Cache.id`; nil without one.
        public let l2: Int?
        /// hwloc's rank of this kind of core on a hybrid CPU, faster kinds higher, all alike elsewhere; nil where unranked.
        public let efficiency: Int?
        /// Whether this process may run here.
        public let isAllowed: Bool
    }

    /// One data or unified cache.
    public struct Cache: Sendable, Hashable {
        /// 1 … 5.
        public let level: Int
        /// The logical number among the caches of its level, from 0.
        public let id: Int
        /// Its size; 0 where the machine doesn't tell.
        public let bytes: Int
        /// The OS numbers of the PUs that share it.
        public let pus: [Int]
    }

    /// The CPU's model, else the mainboard's name, else "unknown machine"; at most 64 characters, all printable.
    public let name: String
    /// Every PU that is online, neighbours together.
    public let pus: [PU]
    /// Every cache, ordered by level, then by `id`.
    public let caches: [Cache]
    /// The OS numbers of the NUMA nodes, those without a PU (memory alone) included.
    public let nodes: [Int]
    /// How many packages (sockets) hold the PUs; 0 where the machine doesn't tell.
    public let packageCount: Int

    /// How many cores hold the PUs; a PU without a known core counts as one.
    public var coreCount: Int { Set(pus.map(\.core)).count }
    /// The PUs that this process may run on.
    public var allowedPUs: [PU] { pus.filter(\.isAllowed) }

    /// The same machine with only those of its allowed PUs left allowed that are in `list`.
    public func restricted(to list: PUList) -> TopologySnapshot {
        let kept = Set(list.pus)
        let pus = pus.map { pu in
            PU(
                osIndex: pu.osIndex,
                core: pu.core,
                package: pu.package,
                node: pu.node,
                l3: pu.l3,
                l2: pu.l2,
                efficiency: pu.efficiency,
                isAllowed: pu.isAllowed && kept.contains(pu.osIndex)
            )
        }
        return TopologySnapshot(name: name, pus: pus, caches: caches, nodes: nodes, packageCount: packageCount)
    }

    /// `0-3,8`: OS numbers in ascending order, for a sentence.
    func numbers(of pus: [PU]) -> String {
        (try? PUList(pus.map(\.osIndex).sorted()).description) ?? "none"
    }
}
