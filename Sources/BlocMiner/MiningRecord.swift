internal import CryptoNight
internal import MachineTopology

/// What a miner has done so far, over all its shifts.
struct MiningRecord: Sendable {
    var shares = ShareCounts()
    var difficulty: UInt64?
    var pool = ""
    var failedWorkers = 0
    /// How the workers hash now; nil before the first shift.
    var form: WorkForm?
    private var pages: [Int: PageBacking] = [:]
    private var kernel: HashKernel?
    private var plan: ThreadPlan?
    private var earlierHashes: UInt64 = 0
    private var earlierTime: Duration = .zero
    private var history = HashrateHistory()
    private let start = ContinuousClock.now

    mutating func beginShift(_ shift: Shift) {
        kernel = shift.crew.kernel
        form = shift.crew.board.form
        plan = shift.crew.plan
        pages = [:]
        failedWorkers = 0
        history = HashrateHistory()
    }

    mutating func endShift(_ shift: Shift) {
        earlierHashes += shift.crew.hashes
        earlierTime += shift.crew.board.hashingTime
    }

    mutating func note(_ backing: PageBacking, of worker: Int) { pages[worker] = backing }

    func hashes(with shift: Shift?) -> UInt64 { earlierHashes + (shift?.crew.hashes ?? 0) }

    /// Time since the miner came to be.
    var age: Duration { start.duration(to: .now) }

    /// Hashes per second over the last ten seconds; nil while they aren't full.
    var rate: Double? {
        history.windows.tenSeconds.flatMap { $0.age >= .seconds(10) ? $0.hashesPerSecond : nil }
    }

    /// Hashrates over the usual windows.
    var hashrate: HashrateWindows { history.windows }

    /// Notes the hash count once a second, from the first hash on.
    mutating func tick(hashes: UInt64) {
        guard hashes > 0 else { return }
        history.record(hashes: hashes, at: age)
    }

    func statistics(shift: Shift?, awaitingVerdict: Int) -> MinerStatistics {
        var statistics = MinerStatistics()
        if let kernel, let form {
            statistics.kernel = HashKernel(variant: kernel.variant, path: form.path, lanes: form.lanes)
            statistics.plan = plan?.prefix(form.threads)
        }
        let workers = (0..<(form?.threads ?? 0)).compactMap { pages[$0] }
        statistics.pages = PageBacking.sum(of: workers)
        statistics.hashes = hashes(with: shift)
        statistics.hashingTime = earlierTime + (shift?.crew.board.hashingTime ?? .zero)
        statistics.hashrate = history.windows
        statistics.shares = shares
        statistics.pendingShares = awaitingVerdict + (shift?.verifier.pendingCount ?? 0)
        statistics.pool = pool
        statistics.difficulty = difficulty
        return statistics
    }
}

extension PageBacking {
    /// The pages of several workers together, of the weakest kind among them; nil for none.
    static func sum(of all: [PageBacking]) -> PageBacking? {
        guard let first = all.first else { return nil }
        let kinds: [PageBacking.Kind] = [.ordinary, .transparent, .huge]
        return PageBacking(
            kind: kinds.first { kind in all.contains { $0.kind == kind } } ?? first.kind,
            totalPages: all.reduce(0) { $0 + $1.totalPages },
            hugePages: all.reduce(0) { $0 + $1.hugePages },
            reason: all.compactMap(\.reason).first
        )
    }
}
