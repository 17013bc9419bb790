internal import CryptoNight
internal import Dispatch
internal import MachineTopology
public import MiningWork
internal import PoolTransport
internal import Stratum

/// Mines for the first of its pools that works, until it is stopped.
public actor Miner {
    private let configuration: MinerConfiguration
    /// What is mined for each pool where a job doesn't name its algorithm; nil when only the pool can tell.
    public nonisolated let algorithms: [Algorithm?]
    private let workshop: Workshop
    private let source: any WorkSource
    private let hub = EventHub()
    private let reports: AsyncStream<WorkshopReport>

    private var ledger = NonceLedger()
    private var shift: Shift?
    private var tuning: Task<Void, Never>?
    private var watch = TuningWatch()
    private var isTuningDue = false
    private var record = MiningRecord()
    private var isHeld = false
    private var isSuspended = false
    private var isStopping = false
    private var failure: MinerError?

    /// A miner as `configuration` says. Checks all that can be checked without a connection: the algorithm, the coin's
    /// address, the threads.
    public init(_ configuration: MinerConfiguration) throws(MinerError) {
        self.configuration = configuration
        guard let firstPool = configuration.pools.first else { throw .usage("a miner needs a pool") }
        algorithms = try configuration.algorithms()
        let source = PoolSource(configuration.pools, algorithms: algorithms, trial: configuration.poolTrial)
        self.source = source
        let (reports, inbox) = AsyncStream.makeStream(of: WorkshopReport.self)
        self.reports = reports
        workshop = try Workshop(limits: configuration.limits) { report in
            // What can't wait goes straight to the source, the rest to the record.
            switch report {
            case .checked(.genuine(let share)), .checked(.genuineButMischecked(let share, _)): source.submit(share)
            case .worker(.exhausted(let job)): source.replace(exhausted: job)
            default: break
            }
            inbox.yield(report)
        }
        for variant in algorithms.compactMap(\.self).compactMap(HashVariant.init) { _ = try workshop.plan(for: variant) }
        record.pool = firstPool.address.description
    }

    /// Mines until `stop` is called, the task is cancelled or nothing is left to be tried. To be called once.
    ///
    /// Throws when this machine can't hash, or when the pool refuses for good.
    public func run() async throws(MinerError) {
        let listening = Task { for await report in reports { await self.note(report) } }
        let ticking = Task {
            while !Task.isCancelled {
                self.tick()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        let ending = await outcome()
        await endShift()
        listening.cancel()
        ticking.cancel()
        hub.finish()
        try ending.get()
    }

    /// A fresh stream of all events from now on, for one listener. It ends when `run` does.
    public nonisolated func events() -> AsyncStream<MinerEvent> { hub.stream() }

    /// The figures at this moment.
    public var statistics: MinerStatistics {
        record.statistics(shift: shift, awaitingVerdict: source.pendingCount)
    }

    /// Stops hashing until `resume`; the connection stays.
    public func pause() {
        guard !isHeld else { return }
        isHeld = true
        shift?.crew.board.hold(true)
        hub.send(.paused(reason: "by request"))
    }

    /// Goes on after `pause`.
    public func resume() {
        guard isHeld else { return }
        isHeld = false
        shift?.crew.board.hold(false)
        hub.send(.resumed)
    }

    /// Stops hashing at once, waits up to `grace` for the verdicts on shares that were found, then disconnects and lets
    /// `run` return.
    public func stop(grace: Duration = .seconds(2)) async {
        isStopping = true
        let end = ContinuousClock.now + grace
        await shift?.crew.stop()
        await shift?.verifier.drained(by: end)
        source.finish(within: max(.zero, ContinuousClock.now.duration(to: end)))
    }

    private func outcome() async -> Result<Void, MinerError> {
        do throws(MinerError) {
            if let variant = algorithms[0].flatMap(HashVariant.init) { try await beginShift(variant) }
            try await source.run(self)
            if let failure { throw failure }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Ends hashing and the source's run, because of `error`.
    private func fail(_ error: MinerError) {
        guard failure == nil else { return }
        failure = error
        source.finish(within: .zero)
    }

    private func tick() {
        record.tick(hashes: record.hashes(with: shift))
        let rate = isHeld || isSuspended || tuning != nil ? nil : record.rate
        guard !isTuningDue, watch.isDue(hashesPerSecond: rate, at: record.age) else { return }
        isTuningDue = true
        hub.send(.note("the hashrate has been 10 % below the tuned one for 5 minutes: tuning again with the next job"))
    }
}

// MARK: - Shifts

extension Miner {
    /// Lets a crew for `variant` begin, unless it is at work already; the one before ends and frees its memory first.
    private func beginShift(_ variant: HashVariant) async throws(MinerError) {
        guard shift?.crew.kernel.variant != variant || isTuningDue else { return }
        await endShift()
        let order = try workshop.order(for: variant, tuning: configuration.tuning, isFresh: isTuningDue)
        isTuningDue = false
        let prepared = try await workshop.prepare(variant, limits: order.limits, first: order.space?.first)
        guard !isStopping else { return }
        if let note = order.note { hub.send(.warning(note)) }
        for refusal in prepared.refusals { hub.send(.warning(refusal)) }
        record.beginShift(prepared.shift)
        shift = prepared.shift
        prepared.shift.crew.board.hold(isHeld)
        let form = prepared.shift.crew.board.form
        hub.send(
            .started(
                prepared.shift.crew.plan.prefix(form.threads),
                HashKernel(variant: variant, path: form.path, lanes: form.lanes)
            )
        )
        workshop.start(prepared.shift)
        await prepared.shift.crew.settled()
        if let rate = order.expected { watch.tuned(hashesPerSecond: rate, at: record.age) }
        if let space = order.space { tune(prepared.shift.crew, within: space, key: order.key) }
    }

    /// Starts to look for the fastest form of work, on whatever the crew hashes meanwhile.
    private func tune(_ crew: WorkerCrew, within space: TuningSpace, key: TuningKey) {
        let hub = hub
        let tuner = Tuner(crew: crew, space: space) { hub.send(.tuning($0, hashesPerSecond: $1)) }
        tuning = Task {
            guard let (form, rate) = await tuner.run(), !Task.isCancelled else { return }
            tuned(form, hashesPerSecond: rate, key: key)
        }
    }

    private func tuned(_ form: WorkForm, hashesPerSecond rate: Double, key: TuningKey) {
        tuning = nil
        guard let board = shift?.crew.board else { return }
        record.form = form
        watch.tuned(hashesPerSecond: rate, at: record.age)
        hub.send(.tuned(form, hashesPerSecond: rate))
        board.use(form, isSettled: true)
        do {
            try configuration.tuning.cache?.keep(TuningResult(form, hashesPerSecond: rate), for: key)
        } catch {
            hub.send(.warning("\(error)"))
        }
    }

    private func endShift() async {
        tuning?.cancel()
        tuning = nil
        guard let ended = shift else { return }
        await ended.crew.stop()
        record.endShift(ended)
        shift = nil
    }

    private func note(_ report: WorkshopReport) async {
        switch report {
        case .checked(.genuine): break
        case .checked(.genuineButMischecked(_, let kernel)):
            hub.send(.warning("\(kernel) computed a wrong hash while checking a share: this machine is unreliable"))
        case .checked(.unchecked(let share, let reason)):
            hub.send(.warning("a share of job \(PeerText.printable(share.job.id)) is dropped unchecked: \(reason)"))
        case .checked(.invalid(let share, let checked)):
            record.shares.invalid += 1
            hub.send(.share(ShareEvent(share: share, outcome: .invalid(computed: share.digest, checked: checked))))
        case .worker(.ready(let worker, let pages)):
            record.note(pages, of: worker)
            hub.send(.pages(worker: worker, pages))
        case .worker(.note(let worker, let text)): hub.send(.note("worker \(worker): \(text)"))
        case .worker(.failed(let worker, let reason)):
            record.failedWorkers += 1
            let isLast = record.failedWorkers == shift?.crew.plan.threads.count
            if isLast || configuration.limits.hugePages == .require {
                fail(.failure("worker \(worker): \(reason)"))
            } else {
                hub.send(.warning("worker \(worker) has ended: \(reason)"))
            }
        case .worker(.exhausted): hub.send(.paused(reason: "every nonce of the job has been tried"))
        }
    }
}

// MARK: - What the source delivers

extension Miner: WorkSink {
    func deliver(_ job: Job) async {
        guard !isStopping, failure == nil, let variant = HashVariant(job.algorithm) else { return }
        do { try await beginShift(variant) } catch {
            fail(error)
            return
        }
        guard !isStopping, let shift else { return }
        shift.crew.board.assign(Assignment(job: job, nonces: ledger.counter(for: job)))
        record.difficulty = job.target.difficulty.hashes
        hub.send(.job(job))
        if isSuspended {
            isSuspended = false
            hub.send(.resumed)
        }
    }

    func suspendWork(reason: String) {
        shift?.crew.board.assign(nil)
        guard !isSuspended, !isStopping else { return }
        isSuspended = true
        hub.send(.paused(reason: reason))
    }

    func judge(_ verdict: ShareVerdict) {
        let latency = verdict.latency ?? .zero
        let outcome: ShareEvent.Outcome
        switch verdict.outcome {
        case .accepted:
            record.shares.accepted += 1
            outcome = .accepted(latency: latency)
        case .rejected(let reason):
            record.shares.rejected += 1
            outcome = .rejected(reason: reason, latency: latency)
        case .stale(let reason):
            record.shares.stale += 1
            outcome = .stale(reason: reason)
        }
        hub.send(.share(ShareEvent(share: verdict.share, outcome: outcome)))
    }

    func announce(_ event: MinerEvent) {
        if case .switched(let pool) = event { record.pool = pool }
        hub.send(event)
    }
}
