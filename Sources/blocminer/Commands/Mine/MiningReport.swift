import BlocMiner

/// Puts what happens while mining into lines.
struct MiningReport {
    /// Shares by their ends, so far.
    private(set) var shares = ShareCounts()
    private var placements: [ThreadPlan.Placement] = []
    private var backings: [Int: PageBacking] = [:]
    private var unanswered = UnansweredShares()
    private let hugePages: HugePagePolicy
    private let pageCommand: (Int) -> String

    /// A report for a miner whose pages were asked for as `hugePages`. `pageCommand` names the command that reserves so
    /// many more pages.
    init(
        hugePages: HugePagePolicy = .prefer,
        pageCommand: @escaping (Int) -> String = { HugePageReserve.current.command(toProvide: $0) }
    ) {
        self.hugePages = hugePages
        self.pageCommand = pageCommand
    }

    /// The lines that tell of `event`.
    mutating func lines(for event: MinerEvent) -> [StyledText] {
        guard case .share(let share) = event, let isUntold = unanswered.take(share) else {
            return end() + told(event)
        }
        if isUntold { shares.add(share.outcome) }
        return isUntold ? [] : [line(for: share)]
    }

    /// What no line has told of yet, for the end of mining.
    mutating func end() -> [StyledText] {
        guard let (count, reason) = unanswered.end() else { return [] }
        return ["\("stale", .caution): \(count) more, \(reason) \("(\(shares.text))", .faint)"]
    }

    private mutating func told(_ event: MinerEvent) -> [StyledText] {
        switch event {
        case .connecting(let pool): ["connecting to \(pool)"]
        case .connected(let pool, let remote, let security, let extensions):
            [Self.login(pool, [remote, security?.description], extensions)]
        case .disconnected(let pool, let reason, let retry): [Self.loss(pool, reason, retry)]
        case .switched(let pool): ["\("mining for", .strong) \(pool)"]
        case .started(let plan, let kernel): start(plan, kernel)
        case .pages(let worker, let backing): pages(of: worker, backing)
        case .tuning(let form, let rate): ["tuning: \(form): \(NumberText.hashrate(rate))"]
        case .tuned(let form, let rate): tuned(form, rate)
        case .job(let job): [Self.line(for: job)]
        case .hashrate: []
        case .share(let event): [line(for: event)]
        case .paused(let reason): ["\("paused:", .caution) \(reason)"]
        case .resumed: ["mining again"]
        case .note(let text): ["\(text)"]
        case .warning(let text): ["\("warning:", .caution) \(text)"]
        }
    }

    private static func login(_ pool: String, _ connection: [String?], _ extensions: [String]) -> StyledText {
        let spoken = extensions.isEmpty ? "" : "; the pool offers \(extensions.joined(separator: ", "))"
        return "\("logged in", .good) to \(pool) (\(connection.compactMap(\.self).joined(separator: ", ")))\(spoken)"
    }

    private static func loss(_ pool: String, _ reason: String, _ retry: Duration?) -> StyledText {
        let next = retry.map { "trying again in \(DurationText.text($0))" } ?? "giving up"
        return "\("no connection", .bad) to \(pool): \(reason); \(next)"
    }

    private mutating func start(_ plan: ThreadPlan, _ kernel: HashKernel) -> [StyledText] {
        placements = plan.threads
        backings = [:]
        let threads = NumberText.count(plan.threads.count, "thread")
        let lanes = NumberText.count(kernel.lanes, "lane")
        let memory = NumberText.bytes(plan.threads.count * kernel.scratchpadBytes)
        let settings = "\(threads) × \(lanes), \(memory) of scratchpads"
        return ["hashing \(kernel.variant.name, .strong) on \(kernel.path.name): \(settings)"]
    }

    /// After this each worker tells its pages once more.
    private mutating func tuned(_ form: WorkForm, _ rate: Double) -> [StyledText] {
        placements = Array(placements.prefix(form.threads))
        backings = [:]
        return ["\("tuned:", .good) \(form) is fastest, \(NumberText.hashrate(rate))"]
    }

    private mutating func pages(of worker: Int, _ backing: PageBacking) -> [StyledText] {
        let place = placements.indices.contains(worker) ? " on PU \(placements[worker].pu)" : ""
        let reason = backing.reason.map { ": \($0)" } ?? ""
        backings[worker] = backing
        let line: StyledText = "worker \(worker)\(place): \(backing.summary)\(reason)"
        return [line] + (backings.count == placements.count ? advice : [])
    }

    /// How to get reserved huge pages for those threads that have none.
    private var advice: [StyledText] {
        let missing = backings.values.filter { $0.kind != .huge }.reduce(0) { $0 + $1.totalPages }
        guard missing > 0, hugePages != .off else { return [] }
        return ["\("reserved huge pages hash faster:", .caution) \(pageCommand(missing))"]
    }

    private static func line(for job: Job) -> StyledText {
        let height = job.height.map { ", height \($0)" } ?? ""
        return "\("new job:", .strong) difficulty \(job.target.difficulty.hashes)\(height), \(job.algorithm.name)"
    }

    private mutating func line(for event: ShareEvent) -> StyledText {
        shares.add(event.outcome)
        let counts = "(\(shares.text))"
        switch event.outcome {
        case .accepted(let latency):
            return "\("accepted", .good) after \(DurationText.text(latency)) \(counts, .faint)"
        case .rejected(let reason, let latency):
            return "\("rejected", .bad) after \(DurationText.text(latency)): \(reason) \(counts, .faint)"
        case .stale(let reason): return "\("stale", .caution): \(reason) \(counts, .faint)"
        case .invalid(let computed, let checked):
            let advice = "not sent; memory, CPU or kernel at fault"
            return "\("invalid", .bad): computed \(computed), checked \(checked); \(advice) \(counts, .faint)"
        }
    }

    /// What the status line shows.
    static func status(_ statistics: MinerStatistics) -> StyledText {
        let rate = statistics.latestHashrate?.text ?? "no hash completed yet"
        let difficulty = statistics.difficulty.map { " · difficulty \($0)" } ?? ""
        return "\(rate, .strong) · \(statistics.shares.text)\(difficulty) · \(statistics.pool)"
    }
}
