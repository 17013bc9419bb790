import CHwloc
import Glibc

/// Owns one loaded hwloc topology. hwloc lets any number of threads consult and bind by a loaded topology at once, and
/// nothing here changes it after loading; hence Sendable.
final class HwlocTopology: @unchecked Sendable {
    let handle: hwloc_topology_t

    /// Loads a topology after `prepare` has told it where to look; nil (with `errno` set) where hwloc refuses.
    init?(prepare: (hwloc_topology_t) -> Bool) {
        var created: hwloc_topology_t?
        guard hwloc_topology_init(&created) == 0, let created else { return nil }
        let flags =
            HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED.rawValue | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES.rawValue
            | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS.rawValue
        guard hwloc_topology_set_flags(created, UInt(flags)) == 0, prepare(created), hwloc_topology_load(created) == 0
        else {
            let reason = errno
            hwloc_topology_destroy(created)
            errno = reason
            return nil
        }
        handle = created
    }

    /// Loads a topology from text that ends in a zero byte and must outlive the load.
    convenience init?(text: [UInt8], prepare: (hwloc_topology_t, UnsafePointer<CChar>) -> Bool) {
        let characters = text.map { CChar(bitPattern: $0) }
        self.init { handle in
            characters.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return false }
                return prepare(handle, start)
            }
        }
    }

    deinit { hwloc_topology_destroy(handle) }

    /// Every object of one type, in logical order.
    func objects(_ type: hwloc_obj_type_t) -> [hwloc_obj_t] {
        let depth = hwloc_get_type_depth(handle, type)
        return (0..<hwloc_get_nbobjs_by_depth(handle, depth)).compactMap { hwloc_get_obj_by_depth(handle, depth, $0) }
    }

    /// The affinity mask of the process's main thread; nil where the topology isn't this machine's or the system won't tell.
    /// The calling thread's own mask would mislead: it may be a pinned worker's.
    var processMask: HwlocBitmap? {
        guard hwloc_topology_is_thissystem(handle) != 0, let mask = HwlocBitmap() else { return nil }
        let status = hwloc_get_proc_cpubind(handle, getpid(), mask.handle, Int32(HWLOC_CPUBIND_THREAD.rawValue))
        return status == 0 ? mask : nil
    }
}

/// Owns one hwloc bitmap.
final class HwlocBitmap {
    let handle: hwloc_bitmap_t

    /// An empty bitmap; nil without memory.
    init?() {
        guard let created = hwloc_bitmap_alloc() else { return nil }
        handle = created
    }

    /// A bitmap of one number.
    convenience init?(only index: Int) {
        guard (0...PUList.largestPU).contains(index) else { return nil }
        self.init()
        guard hwloc_bitmap_only(handle, UInt32(index)) == 0 else { return nil }
    }

    deinit { hwloc_bitmap_free(handle) }
}

/// The numbers in a finite bitmap, ascending.
func members(of bitmap: hwloc_const_bitmap_t?) -> [Int] {
    guard let bitmap, hwloc_bitmap_weight(bitmap) > 0 else { return [] }
    var members: [Int] = []
    var next = hwloc_bitmap_first(bitmap)
    while next >= 0 {
        members.append(Int(next))
        next = hwloc_bitmap_next(bitmap, next)
    }
    return members
}
