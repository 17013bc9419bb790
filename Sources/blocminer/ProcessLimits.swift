import Glibc

/// Limits of the process (`ulimit`) below which it can't work: libdispatch asks for threads again and again where there
/// is no room for their stacks, and dies where it can't open a descriptor.
struct ProcessLimits {
    private static let leastAddressSpaceBytes: UInt64 = 512 << 20
    private static let leastDescriptors: UInt64 = 16

    /// nil: no limit.
    let addressSpaceBytes: UInt64?
    /// nil: no limit.
    let descriptors: UInt64?

    /// Those of this process.
    static var current: ProcessLimits {
        ProcessLimits(addressSpaceBytes: limit(of: RLIMIT_AS), descriptors: limit(of: RLIMIT_NOFILE))
    }

    /// Which limit is too low, and what to do about it; nil: none.
    var refusal: String? {
        if let bytes = addressSpaceBytes, bytes < Self.leastAddressSpaceBytes {
            let least = NumberText.bytes(Int(Self.leastAddressSpaceBytes))
            return "the limit on address space (ulimit -v) is \(bytes >> 10) KiB, and at least \(least) are needed; "
                + "lift it with 'ulimit -v unlimited'"
        }
        if let descriptors, descriptors < Self.leastDescriptors {
            return
                "the limit on open files (ulimit -n) is \(descriptors), and at least \(Self.leastDescriptors) are needed; "
                + "raise it with 'ulimit -n 1024'"
        }
        return nil
    }

    private static func limit(of resource: __rlimit_resource) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return nil
        }
        return UInt64(limit.rlim_cur)
    }
}
