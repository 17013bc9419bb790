internal import CHashKernels
internal import Glibc

/// Why memory for scratchpads can't be had.
public enum ScratchpadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Reserved huge pages were required and there aren't enough.
    case noHugePages(needed: Int, available: Int, command: String)
    /// The system refused the memory.
    case outOfMemory(bytes: Int, reason: String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .noHugePages(let needed, let available, let command):
            "\(needed) huge pages of 2 MiB are required and \(available) are available; reserve them with: \(command)"
        case .outOfMemory(let bytes, let reason):
            "no memory for scratchpads of \(bytes) bytes: \(reason); use fewer threads or lanes"
        }
    }
}

/// A worker's scratchpads: one block of memory on the largest pages to be had, freed with the value.
///
/// The pages come into being when they are first touched, on the NUMA node of the thread that touches them.
public struct Scratchpads: ~Copyable {
    /// How many scratchpads the block holds.
    public let count: Int
    /// Size of each, in bytes.
    public let bytesEach: Int
    private let block: UnsafeMutableRawPointer
    private let blockBytes: Int
    private let kind: PageBacking.Kind
    private let reason: String?

    /// Maps room for `count` scratchpads of `bytesEach`, rounded up to 2 MiB in all.
    public init(count: Int, bytesEach: Int, policy: HugePagePolicy) throws(ScratchpadError) {
        precondition(count > 0 && bytesEach > 0 && bytesEach.isMultiple(of: Int(CHK_SCRATCHPAD_ALIGNMENT)))
        let (bytes, overflow) = count.multipliedReportingOverflow(by: bytesEach)
        guard !overflow, bytes < Int.max / 2 else { throw .outOfMemory(bytes: .max, reason: "too large") }
        let page = PageBacking.hugePageBytes
        let rounded = (bytes + page - 1) / page * page
        let mapping = try Mapping(bytes: rounded, policy: policy)
        self.count = count
        self.bytesEach = bytesEach
        block = mapping.start
        blockBytes = rounded
        kind = mapping.kind
        reason = mapping.reason
    }

    deinit { munmap(block, blockBytes) }

    /// Makes the pages of the first `lanes` scratchpads exist, or of all, on this thread's NUMA node. False when `watch`
    /// changed before the end.
    public func touch(lanes: Int? = nil, watching watch: WorkWatch? = nil) -> Bool {
        chk_touch(block.assumingMemoryBound(to: UInt8.self), bytes(of: lanes), watch.kernelWatch) == CHK_OK
    }

    /// Bytes of the first `lanes` scratchpads, or of all, in whole huge pages.
    private func bytes(of lanes: Int?) -> Int {
        let page = PageBacking.hugePageBytes
        return (min(max(lanes ?? count, 0), count) * bytesEach + page - 1) / page * page
    }

    /// Gives back the memory of the scratchpads from `lane` on, in whole huge pages. It reads as zeros afterwards.
    public func release(from lane: Int) {
        let start = bytes(of: lane)
        guard start < blockBytes else { return }
        madvise(block + start, blockBytes - start, MADV_DONTNEED)
    }

    /// The pages that the first `lanes` scratchpads lie on by now, or all.
    public func backing(lanes: Int? = nil) -> PageBacking {
        let total = bytes(of: lanes) / PageBacking.hugePageBytes
        let huge =
            switch kind {
            case .huge: total
            case .transparent: TransparentHugePages.count(from: UInt(bitPattern: block), bytes: bytes(of: lanes))
            case .ordinary: 0
            }
        return PageBacking(kind: kind, totalPages: total, hugePages: huge, reason: reason)
    }

    /// The scratchpad of `lane` < count.
    func scratchpad(_ lane: Int) -> UnsafeMutablePointer<UInt8> {
        (block + lane * bytesEach).assumingMemoryBound(to: UInt8.self)
    }
}

/// A fresh anonymous mapping, aligned to 2 MiB.
private struct Mapping {
    let start: UnsafeMutableRawPointer
    let kind: PageBacking.Kind
    let reason: String?

    init(bytes: Int, policy: HugePagePolicy) throws(ScratchpadError) {
        guard policy != .off else {
            start = try Self.aligned(bytes: bytes)
            madvise(start, bytes, MADV_NOHUGEPAGE)
            kind = .ordinary
            reason = nil
            return
        }
        if let huge = Self.map(bytes: bytes, flags: MAP_HUGETLB | Self.hugePageSizeFlag) {
            start = huge
            kind = .huge
            reason = nil
            return
        }
        let pages = bytes / PageBacking.hugePageBytes
        let reserve = HugePageReserve.current
        let command = reserve.command(toProvide: pages)
        if policy == .require {
            throw .noHugePages(needed: pages, available: reserve.available, command: command)
        }
        start = try Self.aligned(bytes: bytes)
        let isTransparent = madvise(start, bytes, MADV_HUGEPAGE) == 0 && TransparentHugePages.areEnabled
        kind = isTransparent ? .transparent : .ordinary
        reason = "\(reserve.available) reserved huge pages are available and \(pages) are needed"
    }

    /// `log2(2 MiB)` in the bits where mmap expects a huge page's size.
    private static let hugePageSizeFlag: Int32 = 21 << 26

    private static func map(bytes: Int, flags: Int32) -> UnsafeMutableRawPointer? {
        let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0)
        return start == MAP_FAILED ? nil : start
    }

    /// Maps one huge page more than needed and gives the ends back.
    private static func aligned(bytes: Int) throws(ScratchpadError) -> UnsafeMutableRawPointer {
        let page = PageBacking.hugePageBytes
        guard let start = map(bytes: bytes + page, flags: 0) else {
            throw .outOfMemory(bytes: bytes, reason: String(cString: strerror(errno)))
        }
        let lead = (page - Int(bitPattern: start) % page) % page
        if lead > 0 { munmap(start, lead) }
        munmap(start + lead + bytes, page - lead)
        return start + lead
    }
}
