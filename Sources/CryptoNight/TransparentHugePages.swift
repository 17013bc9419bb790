internal import Glibc

/// What the kernel does about transparent huge pages, as /sys and /proc tell it.
enum TransparentHugePages {
    /// Whether a mapping that asks for them can get them.
    static var areEnabled: Bool {
        guard let mode = KernelFile.text("/sys/kernel/mm/transparent_hugepage/enabled", limit: 256) else {
            return false
        }
        return !mode.contains("[never]")
    }

    /// How many whole huge pages lie in the mapping from `start` on, as /proc/self/smaps counts them.
    static func count(from start: UInt, bytes: Int) -> Int {
        guard let map = KernelFile.text("/proc/self/smaps", limit: 64 << 20) else { return 0 }
        var huge = 0
        var isInside = false
        for line in map.split(separator: "\n") {
            if let range = addressRange(line) {
                isInside = range.overlaps(start..<start + UInt(bytes))
            } else if isInside, line.hasPrefix("AnonHugePages:") {
                let kibibytes = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                huge += kibibytes * 1024 / PageBacking.hugePageBytes
            }
        }
        return min(huge, bytes / PageBacking.hugePageBytes)
    }

    /// The addresses that a heading of smaps names: "7f00-7f20 rw-p …".
    private static func addressRange(_ line: Substring) -> Range<UInt>? {
        guard let field = line.split(separator: " ", maxSplits: 1).first else { return nil }
        let ends = field.split(separator: "-")
        guard ends.count == 2, let low = UInt(ends[0], radix: 16), let high = UInt(ends[1], radix: 16), low < high
        else {
            return nil
        }
        return low..<high
    }
}
