internal import BlocMiner
internal import CBlocMiner
internal import Dispatch
internal import PoolTransport

/// A miner as C holds it: it can be started again and again, each time with a new `Miner`.
final class HostedMiner: Sendable {
    private enum Phase {
        case idle, running, stopping, destroyed
    }

    /// From a start to the end that belongs to it.
    private struct Run {
        let miner: Miner
        let source: HostSource?
        let ended = DispatchGroup()
    }

    private struct State {
        var phase = Phase.idle
        var run: Run?
        var job: Job?
        var isPaused = false
        /// The figures of the latest run, once it has ended.
        var statistics = MinerStatistics()
    }

    private static let grace: Duration = .seconds(2)

    private let options: MinerOptions
    private let events: EventQueue?
    private let thread: EventThread?
    private let state = Locked(State())

    init(_ options: blocminer_options_t) throws(ABIError) {
        self.options = try MinerOptions(options)
        _ = try Self.makeMiner(self.options, source: self.options.isHostFed ? HostSource(found: { _ in }) : nil)
        events = options.callback == nil ? nil : EventQueue()
        if let events, let callback = options.callback {
            thread = try EventThread(events, callback, context: options.context)
        } else {
            thread = nil
        }
    }

    private static func makeMiner(_ options: MinerOptions, source: HostSource?) throws(ABIError) -> Miner {
        guard let configuration = options.configuration(source: source) else {
            throw .null("blocminer_options_t.pool")
        }
        do { return try Miner(configuration) } catch { throw ABIError(error) }
    }

    /// Begins to mine, away from the caller's thread.
    func start() throws(ABIError) {
        let run = try newRun()
        let news = run.miner.events()
        run.ended.enter()
        Task {
            let telling = Task { [events, options] in
                for await event in news {
                    if let record = EventRecord(event, isHostsJob: options.isHostFed) { events?.add(record) }
                }
            }
            var failure: ABIError?
            do throws(MinerError) { try await run.miner.run() } catch { failure = ABIError(error) }
            await telling.value
            end(await run.miner.statistics, failure)
            run.ended.leave()
        }
    }

    private func newRun() throws(ABIError) -> Run {
        let source = options.isHostFed ? hostSource() : nil
        let run = Run(miner: try Self.makeMiner(options, source: source), source: source)
        let refusal: ABIError? = state.withLock { state in
            switch state.phase {
            case .destroyed: return .invalidHandle
            case .running: return ABIError(BLOCMINER_WRONG_STATE, "the miner runs already")
            case .stopping: return ABIError(BLOCMINER_WRONG_STATE, "the miner is being stopped")
            case .idle:
                state.phase = .running
                state.run = run
                state.isPaused = false
                if let job = state.job { source?.mine(job) }
                return nil
            }
        }
        if let refusal { throw refusal }
        return run
    }

    private func hostSource() -> HostSource {
        HostSource(
            found: { [events] share in events?.add(EventRecord(found: share)) },
            exhausted: { [events] job in
                var record = EventRecord(BLOCMINER_EVENT_EXHAUSTED, "every nonce of the job has been tried")
                record.job = job
                events?.add(record)
            }
        )
    }

    private func end(_ statistics: MinerStatistics, _ failure: ABIError?) {
        events?.add(EventRecord(ended: failure))
        state.withLock { state in
            state.statistics = statistics
            state.run = nil
            if state.phase != .destroyed { state.phase = .idle }
        }
    }

    func setPaused(_ isPaused: Bool) throws(ABIError) {
        let run = try runningRun()
        waiting { isPaused ? await run.miner.pause() : await run.miner.resume() }
        state.withLock { $0.isPaused = isPaused }
    }

    private func runningRun() throws(ABIError) -> Run {
        let run: Run? = state.withLock { $0.phase == .running ? $0.run : nil }
        guard let run else { throw ABIError(BLOCMINER_WRONG_STATE, "the miner does not run") }
        return run
    }

    /// Mines `job`, or nothing, from now on or from the next start.
    func set(_ job: blocminer_job_t?) throws(ABIError) {
        guard options.isHostFed else {
            throw ABIError(BLOCMINER_WRONG_STATE, "the miner works for a pool; make one without to set jobs")
        }
        let algorithm = options.algorithm
        let job = try job.map { job throws(ABIError) in try Job(job, algorithm: algorithm) }
        state.withLock { state in
            state.job = job
            guard let source = state.run?.source else { return }
            if let job { source.mine(job) } else { source.suspend() }
        }
    }

    /// Ends mining and waits for its end.
    func stop() {
        let run: Run? = state.withLock { state in
            if state.phase == .running { state.phase = .stopping }
            return state.run
        }
        end(run)
    }

    /// Ends everything, once.
    func destroy() throws(ABIError) {
        let (run, isFirst) = state.withLock { state in
            defer { state.phase = .destroyed }
            return (state.run, state.phase != .destroyed)
        }
        guard isFirst else { throw .invalidHandle }
        end(run)
        thread?.stop()
    }

    private func end(_ run: Run?) {
        guard let run else { return }
        waiting { await run.miner.stop(grace: Self.grace) }
        run.ended.wait()
    }

    /// The figures at this moment.
    var statistics: blocminer_statistics_t {
        let (run, kept, isPaused) = state.withLock { ($0.run, $0.statistics, $0.isPaused) }
        let statistics = run.map { run in waiting { await run.miner.statistics } } ?? kept
        var figures = blocminer_statistics_t(statistics)
        figures.is_running = run == nil ? 0 : 1
        figures.is_paused = run != nil && isPaused ? 1 : 0
        return figures
    }
}

/// Waits for `body` on the calling thread, which is never one of Swift's.
private func waiting<Outcome: Sendable>(_ body: @escaping @Sendable () async -> Outcome) -> Outcome {
    let done = DispatchSemaphore(value: 0)
    let outcome = Locked<Outcome?>(nil)
    Task {
        let value = await body()
        outcome.withLock { $0 = value }
        done.signal()
    }
    while true {
        done.wait()
        if let value = outcome.withLock({ $0 }) { return value }
    }
}

extension blocminer_statistics_t {
    fileprivate init(_ statistics: MinerStatistics) {
        self.init()
        size = MemoryLayout<Self>.size
        hashes = statistics.hashes
        hashing_seconds = statistics.hashingTime / .seconds(1)
        hashes_per_second = statistics.hashesPerSecond
        hashes_per_second_10s = statistics.hashrate.tenSeconds?.hashesPerSecond ?? 0
        hashes_per_second_60s = statistics.hashrate.minute?.hashesPerSecond ?? 0
        hashes_per_second_15min = statistics.hashrate.quarterHour?.hashesPerSecond ?? 0
        shares_accepted = UInt64(clamping: statistics.shares.accepted)
        shares_rejected = UInt64(clamping: statistics.shares.rejected)
        shares_stale = UInt64(clamping: statistics.shares.stale)
        shares_invalid = UInt64(clamping: statistics.shares.invalid)
        shares_pending = UInt64(clamping: statistics.pendingShares)
        difficulty = statistics.difficulty ?? 0
        threads = UInt32(clamping: statistics.plan?.threads.count ?? 0)
        lanes = UInt32(clamping: statistics.kernel?.lanes ?? 0)
        huge_pages = UInt32(clamping: statistics.pages?.hugePages ?? 0)
        total_pages = UInt32(clamping: statistics.pages?.totalPages ?? 0)
    }
}
