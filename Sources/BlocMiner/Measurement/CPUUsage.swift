internal import CryptoNight
internal import Glibc

/// What all CPUs together have done since the system started, in seconds.
struct CPUUsage: Sendable, Hashable {
    /// Running anything.
    var busy: Double
    /// Ready to run, while the host ran another guest.
    var stolen: Double

    /// This moment's; nil where the kernel doesn't tell.
    static var current: CPUUsage? {
        let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
        guard ticksPerSecond > 0, let text = KernelFile.text("/proc/stat") else { return nil }
        return CPUUsage(stat: text, ticksPerSecond: Double(ticksPerSecond))
    }

    /// Reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
    init?(stat text: String, ticksPerSecond: Double) {
        guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
        let fields = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0).map { Double($0) } }
        guard fields.count == 8 else { return nil }
        busy = (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) / ticksPerSecond
        stolen = fields[7] / ticksPerSecond
    }
}

/// What others did with the CPUs during some time.
struct ForeignLoad: Sendable, Hashable {
    /// CPUs that other programs kept busy, such as 0.3.
    let busyCPUs: Double
    /// CPUs that the host gave to other guests while there was work for them.
    let stolenCPUs: Double

    /// The load between two moments, `seconds` apart, of which this process ran for `own` seconds.
    init(from start: CPUUsage, to end: CPUUsage, own: Double, seconds: Double) {
        let span = max(seconds, 0.001)
        busyCPUs = max(0, end.busy - start.busy - own) / span
        stolenCPUs = max(0, end.stolen - start.stolen) / span
    }
}

/// Watches what others do with the CPUs, from its making on.
struct LoadWatch: Sendable {
    private let usage = CPUUsage.current
    private let own = clock()
    private let start = ContinuousClock.now

    /// The load since then; nil where the kernel doesn't tell.
    var load: ForeignLoad? {
        guard let usage, let now = CPUUsage.current else { return nil }
        let seconds = start.duration(to: .now) / .seconds(1)
        return ForeignLoad(from: usage, to: now, own: Double(clock() - own) / Double(CLOCKS_PER_SEC), seconds: seconds)
    }
}
