/// Memory that this process could still use.
public enum AvailableMemory {
    /// Bytes that the machine has free for new work, or the process's control group if that allows less; zero if
    /// neither can be read.
    public static var bytes: Int {
        [machineBytes, groupBytes].compactMap { $0 }.min() ?? 0
    }

    private static var machineBytes: Int? {
        KernelFile.text("/proc/meminfo").flatMap { availableBytes(inMeminfo: $0) }
    }

    /// `MemAvailable` of /proc/meminfo, which counts kibibytes.
    static func availableBytes(inMeminfo text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            .flatMap { 0..<1 << 50 ~= $0 ? $0 << 10 : nil }
    }

    /// What the tightest of the groups that hold this process leaves; nil without a limit.
    private static var groupBytes: Int? {
        guard let path = KernelFile.text("/proc/self/cgroup").flatMap({ unifiedGroup(in: $0) }) else { return nil }
        var folder = "/sys/fs/cgroup" + path
        var rooms: [Int] = []
        while folder.hasPrefix("/sys/fs/cgroup") {
            if let limit = KernelFile.number(folder + "/memory.max"),
                let used = KernelFile.number(folder + "/memory.current")
            {
                rooms.append(max(0, limit - used))
            }
            guard let slash = folder.lastIndex(of: "/") else { break }
            folder = String(folder[..<slash])
        }
        return rooms.min()
    }

    /// The path of the process's group in the unified hierarchy: the line "0::/path" of /proc/self/cgroup.
    static func unifiedGroup(in text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::/") }
        return line.map { $0.dropFirst(3) == "/" ? "" : String($0.dropFirst(3)) }
    }
}
