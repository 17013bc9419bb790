public import CryptoNight
internal import MachineTopology

/// What about this machine or build makes a figure smaller, or less certain, than it could be.
public struct MachineCondition: Sendable, Hashable {
    /// CPUs that other programs kept busy while the benchmark warmed up; nil: not known.
    public var foreignCPUs: Double?
    /// CPUs that the host gave to other guests meanwhile; nil: not known.
    public var stolenCPUs: Double?
    /// Pages of all threads' scratchpads.
    public var pages: PageBacking
    /// The command that reserves what is missing.
    public var pagesCommand: String
    /// The frequency governors of the PUs in use, where they aren't "performance".
    public var governors: Set<String>
    /// Whether the code around the kernels isn't optimised.
    public var isDebugBuild: Bool
    /// Threads that share a core with another one.
    public var siblings: Int

    /// A condition put together by hand.
    public init(
        foreignCPUs: Double? = nil,
        stolenCPUs: Double? = nil,
        pages: PageBacking,
        pagesCommand: String = "",
        governors: Set<String> = [],
        isDebugBuild: Bool = false,
        siblings: Int = 0
    ) {
        self.foreignCPUs = foreignCPUs
        self.stolenCPUs = stolenCPUs
        self.pages = pages
        self.pagesCommand = pagesCommand
        self.governors = governors
        self.isDebugBuild = isDebugBuild
        self.siblings = siblings
    }

    /// This machine's, with `plan` at work on `pages`.
    init(plan: ThreadPlan, pages: PageBacking, load: ForeignLoad?) {
        self.init(
            foreignCPUs: load?.busyCPUs,
            stolenCPUs: load?.stolenCPUs,
            pages: pages,
            pagesCommand: HugePageReserve.current.command(toProvide: pages.totalPages),
            governors: FrequencyGovernor.others(on: plan.threads.map(\.pu)),
            isDebugBuild: Self.isThisBuildForDebugging,
            siblings: plan.threads.count - Set(plan.threads.map(\.core)).count
        )
    }

    /// The worse of two conditions in every respect.
    public func worse(with other: MachineCondition) -> MachineCondition {
        let lacking = pages.totalPages - pages.hugePages
        let isOtherLackingMore = other.pages.totalPages - other.pages.hugePages > lacking
        return MachineCondition(
            foreignCPUs: [foreignCPUs, other.foreignCPUs].compactMap { $0 }.max(),
            stolenCPUs: [stolenCPUs, other.stolenCPUs].compactMap { $0 }.max(),
            pages: isOtherLackingMore ? other.pages : pages,
            pagesCommand: isOtherLackingMore ? other.pagesCommand : pagesCommand,
            governors: governors.union(other.governors),
            isDebugBuild: isDebugBuild || other.isDebugBuild,
            siblings: max(siblings, other.siblings)
        )
    }

    private static var isThisBuildForDebugging: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// A sentence for each thing that is amiss, with what to do about it; empty where all is well.
    public var warnings: [String] {
        [busy, stolen, hugePages, frequency, debugging, sharing].compactMap { $0 }
    }

    private var busy: String? {
        foreignCPUs.flatMap { cpus in
            guard cpus >= 0.1 else { return nil }
            return "other programs kept \(Self.tenths(cpus)) CPUs busy during the warm-up: end them and measure again"
        }
    }

    private var stolen: String? {
        stolenCPUs.flatMap { cpus in
            guard cpus >= 0.05 else { return nil }
            return "the host gave \(Self.tenths(cpus)) CPUs' time to other guests: measure again later, in alternation"
        }
    }

    private var hugePages: String? {
        guard pages.hugePages < pages.totalPages else { return nil }
        return "\(pages.totalPages - pages.hugePages) of \(pages.totalPages) pages of 2 MiB are not huge pages, which "
            + "costs speed: reserve them with: \(pagesCommand)"
    }

    private var frequency: String? {
        guard !governors.isEmpty else { return nil }
        return "the CPU's frequency is governed by '\(governors.sorted().joined(separator: "', '"))': fix it with: "
            + "sudo cpupower frequency-set -g performance"
    }

    private var debugging: String? {
        guard isDebugBuild else { return nil }
        return "this is a debug build: measure one made with: swift build -c release"
    }

    private var sharing: String? {
        guard siblings > 0 else { return nil }
        return
            "\(siblings) of the threads \(siblings == 1 ? "shares" : "share") a core with another (SMT siblings), which "
            + "may help or harm: compare with fewer by --threads"
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int(min(number * 10 + 0.5, 1e6))
        return tenths == 0 ? "less than 0.1" : "\(tenths / 10).\(tenths % 10)"
    }
}

/// How the kernel chooses the CPUs' frequencies.
enum FrequencyGovernor {
    /// The governors of these PUs that aren't "performance"; empty where there is no scaling.
    static func others(on pus: [Int]) -> Set<String> {
        Set(
            pus.compactMap { KernelFile.text("/sys/devices/system/cpu/cpu\($0)/cpufreq/scaling_governor", limit: 64) }
                .compactMap(name)
        )
        .subtracting(["performance"])
    }

    /// The name in the text of a scaling_governor file.
    static func name(in text: String) -> String? { text.split(whereSeparator: \.isWhitespace).first.map(String.init) }
}
