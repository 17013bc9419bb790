import Glibc

/// The six priorities of `--cpu-priority`, as nice values of the process's threads.
enum CPUPriority {
    /// From idle to nearly real time; 2 leaves things as they usually are.
    static let niceValues: [Int32] = [19, 10, 0, -5, -10, -15]

    /// The levels in words, for help.
    static let words = "nice " + niceValues.map(String.init).joined(separator: ", ")

    /// Gives every thread that exists the priority `level`; those made later inherit it. Returns what went wrong.
    static func apply(_ level: Int) -> String? {
        guard niceValues.indices.contains(level) else { return nil }
        for thread in threads
        where setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), niceValues[level]) != 0 {
            let reason = String(cString: strerror(errno))
            return "--cpu-priority \(level) (nice \(niceValues[level])) was refused: \(reason); it needs CAP_SYS_NICE"
        }
        return nil
    }

    private static var threads: [Int32] {
        guard let folder = opendir("/proc/self/task") else { return [0] }
        defer { closedir(folder) }
        var threads: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name) { threads.append(number) }
        }
        return threads
    }
}
