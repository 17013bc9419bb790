import CHwloc

extension TopologySnapshot {
    /// Copies what the planner needs out of hwloc. `allowed` narrows the topology's own allowed set.
    init(reading topology: HwlocTopology, allowed: HwlocBitmap?, source: String) throws(TopologyError) {
        let reader = HwlocReader(topology: topology, mask: allowed)
        self.init(
            name: reader.machineName,
            pus: reader.pus,
            caches: reader.caches,
            nodes: reader.nodes.compactMap(osIndex),
            packageCount: topology.objects(HWLOC_OBJ_PACKAGE).count
        )
        guard pus.contains(where: \.isAllowed) else { throw .noAllowedPU(source: source) }
    }
}

private struct HwlocReader {
    let topology: HwlocTopology
    let mask: HwlocBitmap?
    let nodes: [hwloc_obj_t]

    init(topology: HwlocTopology, mask: HwlocBitmap?) {
        self.topology = topology
        self.mask = mask
        nodes = topology.objects(HWLOC_OBJ_NUMANODE)
    }

    var pus: [TopologySnapshot.PU] {
        var coreNumbers: [hwloc_obj_t: Int] = [:]
        var coreCount = 0
        return topology.objects(HWLOC_OBJ_PU).compactMap { pu in
            guard let index = osIndex(pu) else { return nil }
            let core = hwloc_get_ancestor_obj_by_type(topology.handle, HWLOC_OBJ_CORE, pu) ?? pu
            let number = coreNumbers[core] ?? coreCount
            if coreNumbers.updateValue(number, forKey: core) == nil { coreCount += 1 }
            return TopologySnapshot.PU(
                osIndex: index,
                core: number,
                package: ancestor(of: pu, HWLOC_OBJ_PACKAGE),
                node: nearestNode(to: pu),
                l3: ancestor(of: pu, HWLOC_OBJ_L3CACHE),
                l2: ancestor(of: pu, HWLOC_OBJ_L2CACHE),
                efficiency: efficiency(of: pu),
                isAllowed: isAllowed(index)
            )
        }
    }

    var caches: [TopologySnapshot.Cache] {
        let levels = [
            HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE,
        ]
        return levels.enumerated().flatMap { offset, type in
            topology.objects(type).map { cache in
                TopologySnapshot.Cache(
                    level: offset + 1,
                    id: Int(cache.pointee.logical_index),
                    bytes: cache.pointee.attr.map { Int(clamping: $0.pointee.cache.size) } ?? 0,
                    pus: members(of: cache.pointee.cpuset)
                )
            }
        }
    }

    private func ancestor(of pu: hwloc_obj_t, _ type: hwloc_obj_type_t) -> Int? {
        hwloc_get_ancestor_obj_by_type(topology.handle, type, pu).map { Int($0.pointee.logical_index) }
    }

    /// The first of the PU's nodes that has memory; where no size is told, simply the first.
    private func nearestNode(to pu: hwloc_obj_t) -> Int? {
        guard let local = pu.pointee.nodeset, let allowed = hwloc_topology_get_allowed_nodeset(topology.handle) else {
            return nil
        }
        let near = nodes.filter { node in
            hwloc_bitmap_isset(local, node.pointee.os_index) != 0
                && hwloc_bitmap_isset(allowed, node.pointee.os_index) != 0
        }
        let withMemory = near.first { ($0.pointee.attr?.pointee.numanode.local_memory ?? 0) > 0 }
        return (withMemory ?? near.first).flatMap(osIndex)
    }

    private func efficiency(of pu: hwloc_obj_t) -> Int? {
        let kind = hwloc_cpukinds_get_by_cpuset(topology.handle, pu.pointee.cpuset, 0)
        var rank: Int32 = -1
        guard kind >= 0,
            hwloc_cpukinds_get_info(topology.handle, UInt32(kind), nil, &rank, nil, nil, 0) == 0, rank >= 0
        else { return nil }
        return Int(rank)
    }

    private func isAllowed(_ index: Int) -> Bool {
        guard let allowed = hwloc_topology_get_allowed_cpuset(topology.handle),
            hwloc_bitmap_isset(allowed, UInt32(index)) != 0
        else { return false }
        return mask.map { hwloc_bitmap_isset($0.handle, UInt32(index)) != 0 } ?? true
    }

    var machineName: String {
        let roots = topology.objects(HWLOC_OBJ_PACKAGE) + topology.objects(HWLOC_OBJ_MACHINE)
        for key in ["CPUModel", "DMIProductName", "DMIBoardName", "SyntheticDescription"] {
            for object in roots {
                guard let value = hwloc_obj_get_info_by_name(object, key) else { continue }
                let name = printable(String(cString: value))
                if !name.isEmpty { return name }
            }
        }
        return "unknown machine"
    }
}

/// An object's OS number; nil where it has none or one that no system gives.
private func osIndex(_ object: hwloc_obj_t) -> Int? {
    let index = Int(object.pointee.os_index)
    return index <= PUList.largestPU ? index : nil
}
