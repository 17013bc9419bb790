internal import Glibc

/// Which pages the scratchpads are asked for.
public enum HugePagePolicy: String, CaseIterable, Sendable {
    /// Reserved 2 MiB pages, or an error.
    case require
    /// Reserved 2 MiB pages, else transparent huge pages, else ordinary ones.
    case prefer
    /// 4 KiB pages, transparent huge pages turned off.
    case off
}

/// The pages that a block of scratchpads really lies on.
public struct PageBacking: Hashable, Sendable {
    /// How they were obtained.
    public enum Kind: String, Sendable {
        /// Reserved 2 MiB pages (`vm.nr_hugepages`).
        case huge
        /// The kernel was asked for transparent huge pages.
        case transparent
        /// Ordinary pages.
        case ordinary
    }

    /// Bytes in a huge page.
    public static let hugePageBytes = 2 << 20

    /// How they were obtained.
    public let kind: Kind
    /// Size of the block, in units of 2 MiB.
    public let totalPages: Int
    /// How many of those units are one huge page each; for transparent ones as the kernel reports after the first touch.
    public let hugePages: Int
    /// Why it isn't the better kind, with what to do about it; nil when nothing was refused.
    public let reason: String?

    /// A block of `totalPages` units.
    public init(kind: Kind, totalPages: Int, hugePages: Int, reason: String? = nil) {
        self.kind = kind
        self.totalPages = totalPages
        self.hugePages = hugePages
        self.reason = reason
    }

    /// The pages in words, such as "4/4 huge pages (reserved)".
    public var summary: String {
        switch kind {
        case .huge: "\(hugePages)/\(totalPages) huge pages (reserved)"
        case .transparent: "\(hugePages)/\(totalPages) huge pages (transparent)"
        case .ordinary: "no huge pages"
        }
    }
}

/// The system's reserve of 2 MiB pages, as /sys shows it.
public struct HugePageReserve: Hashable, Sendable {
    /// Pages in the reserve.
    public let total: Int
    /// Those that nobody uses or has been promised.
    public let available: Int

    /// The reserve at this moment; empty where the kernel has no 2 MiB pages.
    public static var current: HugePageReserve {
        let folder = "/sys/kernel/mm/hugepages/hugepages-2048kB/"
        let free = KernelFile.number(folder + "free_hugepages") ?? 0
        let reserved = KernelFile.number(folder + "resv_hugepages") ?? 0
        return HugePageReserve(
            total: KernelFile.number(folder + "nr_hugepages") ?? 0,
            available: max(0, free - reserved)
        )
    }

    /// The command that makes room for `pages` more than are in use now.
    public func command(toProvide pages: Int) -> String {
        "sudo sysctl -w vm.nr_hugepages=\(total + max(0, pages - available))"
    }
}
