import CHwloc
import Glibc

/// Pins threads of this process to PUs and their memory to the PU's NUMA node. A machine or container that refuses is
/// noted, never an error: the thread then runs where the system puts it.
public struct Pinning: Sendable {
    /// What came of pinning a thread.
    public struct Outcome: Sendable, Equatable {
        /// Whether the thread is kept on its PU.
        public let isPinned: Bool
        /// Whether new memory of the thread comes from its PU's node first.
        public let isMemoryBound: Bool
        /// What was refused, a phrase each; empty where everything worked.
        public let notes: [String]
    }

    private let topology: HwlocTopology

    /// Reads which PUs and nodes this machine has.
    public init() throws(TopologyError) {
        let topology = HwlocTopology { handle in
            hwloc_topology_set_all_types_filter(handle, HWLOC_TYPE_FILTER_KEEP_NONE) == 0
        }
        guard let topology else { throw .unreadableHost(reason: systemReason(errno)) }
        self.topology = topology
    }

    /// Runs `body` with the calling thread on one PU, then puts back the thread's former mask and memory policy, so that a
    /// thread of a pool returns to it as it came.
    ///
    /// Memory first touched within `body` comes from the PU's node where that has some left. A memory policy that the
    /// thread already has (as by `numactl`) is left as it is. The thread must stay in `body` without suspension.
    public func withPinned<Value: ~Copyable, Failure: Error>(
        to pu: Int,
        _ body: (Outcome) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var notes: [String] = []
        let mask = pin(to: pu, notes: &notes)
        let isMemoryBound = bindMemory(near: pu, notes: &notes)
        defer {
            if isMemoryBound { unbindMemory() }
            if let mask { restore(mask) }
        }
        return try body(Outcome(isPinned: mask != nil, isMemoryBound: isMemoryBound, notes: notes))
    }

    /// Runs `body` with the calling thread on every PU that this process may use, then pins it again as it was.
    ///
    /// A thread that is created within `body`, as Dispatch does behind the scenes, inherits that freedom; it would
    /// inherit the pin otherwise.
    public func withoutPin(_ body: () -> Void) {
        let freedom = topology.processMask
        let pinned = freedom.flatMap(exchange(with:))
        body()
        if let pinned { restore(pinned) }
    }

    private static let threadAlone = Int32(HWLOC_CPUBIND_THREAD.rawValue)
    private static let threadMemory = Int32(HWLOC_MEMBIND_THREAD.rawValue | HWLOC_MEMBIND_BYNODESET.rawValue)

    /// The thread's former mask; nil where the thread couldn't be pinned and its mask is unchanged.
    private func pin(to pu: Int, notes: inout [String]) -> HwlocBitmap? {
        guard let target = HwlocBitmap(only: pu) else {
            notes.append("not pinned to PU \(pu): PU numbers go from 0 to \(PUList.largestPU)")
            return nil
        }
        let former = exchange(with: target)
        if former == nil { notes.append("not pinned to PU \(pu): \(systemReason(errno))") }
        return former
    }

    /// Gives the calling thread another mask. Returns the former one; nil, and `errno`, where the system refuses.
    private func exchange(with mask: HwlocBitmap) -> HwlocBitmap? {
        guard let former = HwlocBitmap(),
            hwloc_get_cpubind(topology.handle, former.handle, Self.threadAlone) == 0,
            hwloc_set_cpubind(topology.handle, mask.handle, Self.threadAlone) == 0
        else { return nil }
        return former
    }

    private func restore(_ mask: HwlocBitmap) {
        _ = hwloc_set_cpubind(topology.handle, mask.handle, Self.threadAlone)
    }

    private func bindMemory(near pu: Int, notes: inout [String]) -> Bool {
        guard let former = HwlocBitmap(), let node = node(of: pu), let target = HwlocBitmap(only: node) else {
            notes.append("memory not bound: PU \(pu) has no known NUMA node")
            return false
        }
        var policy = HWLOC_MEMBIND_DEFAULT
        guard hwloc_get_membind(topology.handle, former.handle, &policy, Self.threadMemory) == 0 else {
            notes.append("memory not bound to node \(node): \(systemReason(errno))")
            return false
        }
        // hwloc reports Linux's default policy as first touch.
        guard policy == HWLOC_MEMBIND_DEFAULT || policy == HWLOC_MEMBIND_FIRSTTOUCH else {
            notes.append("memory not bound to node \(node): the thread's own memory policy is kept")
            return false
        }
        // Without HWLOC_MEMBIND_STRICT, BIND means "this node first": a full node costs speed, not the process.
        guard hwloc_set_membind(topology.handle, target.handle, HWLOC_MEMBIND_BIND, Self.threadMemory) == 0 else {
            notes.append("memory not bound to node \(node): \(systemReason(errno))")
            return false
        }
        return true
    }

    private func unbindMemory() {
        guard let every = hwloc_topology_get_topology_nodeset(topology.handle) else { return }
        _ = hwloc_set_membind(topology.handle, every, HWLOC_MEMBIND_DEFAULT, Self.threadMemory)
    }

    private func node(of pu: Int) -> Int? {
        let object = topology.objects(HWLOC_OBJ_PU).first { Int($0.pointee.os_index) == pu }
        return object.flatMap { members(of: $0.pointee.nodeset).first }
    }
}
