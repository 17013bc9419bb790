internal import CryptoNight
internal import Dispatch
internal import MachineTopology
public import MiningWork
internal import PoolTransport
internal import Stratum

/// Mines what one source of work delivers, such as the first of its pools that works, until it is stopped.
public actor Miner {
    private var configuration: MinerConfiguration
    /// What is mined for each pool where a job doesn't name its algorithm; nil when only the pool can tell.
    public private(set) var algorithms: [Algorithm?]
    private var workshop: Workshop
    private let source: Locked<any WorkSource>
    /// What takes the source's place when its run has ended.
    private var successor: (any WorkSource)?
    private let hub: EventHub
    private let reports: AsyncStream<WorkshopReport>

    private var ledger = NonceLedger()
    private var job: Job?
    private var shift: Shift?
    /// Advances when a shift that is being prepared, or tuned, is wanted no more.
    private let haste = WorkSignal()
    private var isShiftBusy = false
    private var shiftTurns: [CheckedContinuation<Void, Never>] = []
    private var tuning: Task<Void, Never>?
    private var watch = TuningWatch()
    private var isTuningDue = false
    private var isShiftOutdated = false
    private var record = MiningRecord()
    private var ticks = 0
    /// Seconds between two events that tell the hashrate.
    private static let hashrateTicks = 10
    private var isHeld = false
    private var isSuspended = false
    private var isRunning = false
    private var isStopping = false
    private var failure: MinerError?

    /// A miner as `configuration` says. Checks all that can be checked without a connection: the algorithm, the coin's
    /// address, the threads.
    public init(_ configuration: MinerConfiguration) throws(MinerError) {
        self.configuration = configuration
        hub = EventHub(log: configuration.log)
        algorithms = try configuration.algorithms()
        let source = Locked(try Self.source(for: configuration, algorithms: algorithms))
        self.source = source
        let (reports, inbox) = AsyncStream.makeStream(of: WorkshopReport.self)
        self.reports = reports
        workshop = try Workshop(limits: configuration.limits) { report in
            // What can't wait goes straight to the source, the rest to the record.
            switch report {
            case .checked(.genuine(let share)), .checked(.genuineButMischecked(let share, _)):
                source.current.submit(share)
            case .worker(.exhausted(let job)): source.current.replace(exhausted: job)
            default: break
            }
            inbox.yield(report)
        }
        for variant in algorithms.compactMap(\.self).compactMap(HashVariant.init) {
            _ = try workshop.plan(for: variant)
        }
        record.pool = configuration.pools.first?.address.description ?? ""
    }

    private static func source(
        for configuration: MinerConfiguration,
        algorithms: [Algorithm?]
    ) throws(MinerError) -> any WorkSource {
        if let source = configuration.source { return source }
        guard !configuration.pools.isEmpty else { throw .usage("a miner needs a pool, or a source of its own") }
        return PoolSource(configuration.pools, algorithms: algorithms, trial: configuration.poolTrial)
    }

    /// Mines until `stop` is called, the task is cancelled or nothing is left to be tried. To be called once.
    ///
    /// Throws when this machine can't hash, or when the pool refuses for good.
    public func run() async throws(MinerError) {
        isRunning = true
        let listening = Task { for await report in reports { await self.note(report) } }
        let ticking = Task {
            while !Task.isCancelled {
                self.tick()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        let ending = await outcome()
        isStopping = true
        try? await onShift { () async throws(MinerError) in await endShift() }
        listening.cancel()
        ticking.cancel()
        hub.finish()
        try ending.get()
    }

    /// A fresh stream of all events from now on, for one listener. It ends when `run` does.
    public nonisolated func events() -> AsyncStream<MinerEvent> { hub.stream() }

    /// The figures at this moment.
    public var statistics: MinerStatistics {
        record.statistics(shift: shift, awaitingVerdict: source.current.pendingCount)
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

    /// Goes on as `new` says. The connection stays where only limits and tuning differ: workers begin anew with the job
    /// at hand. Otherwise it ends, once shares that were found have their verdicts, and the new source takes over.
    ///
    /// Throws, and changes nothing, where `new` can't be; ends the miner where workers can't start.
    public func update(_ new: MinerConfiguration) async throws(MinerError) {
        let algorithms = try new.algorithms()
        var workshop = workshop
        workshop.limits = new.limits
        let variant = shift?.crew.kernel.variant ?? algorithms.first.flatMap(\.self).flatMap(HashVariant.init)
        if let variant { _ = try workshop.plan(for: variant) }
        let old = configuration
        let replacement = new.hasSameWork(as: old) ? nil : try Self.source(for: new, algorithms: algorithms)
        configuration = new
        self.algorithms = algorithms
        self.workshop = workshop
        isShiftOutdated = isShiftOutdated || !new.hasSameCrew(as: old)
        if let replacement { await replaceSource(with: replacement) } else { try await renewShift() }
    }

    private func replaceSource(with replacement: any WorkSource) async {
        guard isRunning else { return source.withLock { $0 = replacement } }
        successor = replacement
        suspendWork(reason: "another source of work takes over")
        let end = ContinuousClock.now + .seconds(2)
        let verifier = shift?.verifier
        // With its workers the last share of the old source has come.
        try? await onShift { () async throws(MinerError) in await endShift() }
        await verifier?.drained(by: end)
        source.current.finish(within: max(.zero, ContinuousClock.now.duration(to: end)))
    }

    /// Lets workers begin as the configuration says now, with the job at hand.
    private func renewShift() async throws(MinerError) {
        do {
            try await onShift { () async throws(MinerError) in
                guard isShiftOutdated, !isStopping, let variant = shift?.crew.kernel.variant else { return }
                try await beginShift(variant)
                if let job { assign(job) }
            }
        } catch {
            fail(error)
            throw error
        }
    }

    /// Stops hashing at once, waits up to `grace` for the verdicts on shares that were found, then disconnects and lets
    /// `run` return.
    public func stop(grace: Duration = .seconds(2)) async {
        isStopping = true
        haste.advance()
        let end = ContinuousClock.now + grace
        await shift?.crew.stop()
        await shift?.verifier.drained(by: end)
        source.current.finish(within: max(.zero, ContinuousClock.now.duration(to: end)))
    }

    private func outcome() async -> Result<Void, MinerError> {
        do throws(MinerError) {
            repeat { try await serve() } while takeSuccessor()
            if let failure { throw failure }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Mines what the present source delivers, until it ends.
    private func serve() async throws(MinerError) {
        if let variant = algorithms.first.flatMap(\.self).flatMap(HashVariant.init) {
            try await onShift { () async throws(MinerError) in try await beginShift(variant) }
        }
        do { try await source.current.run(MinerSink(miner: self)) } catch {
            if successor == nil { throw error }
        }
    }

    private func takeSuccessor() -> Bool {
        guard let successor, !isStopping, failure == nil else { return false }
        source.withLock { $0 = successor }
        self.successor = nil
        record.pool = configuration.pools.first?.address.description ?? ""
        return true
    }

    /// Ends hashing and the source's run, because of `error`.
    private func fail(_ error: MinerError) {
        guard failure == nil else { return }
        failure = error
        source.current.finish(within: .zero)
    }

    private func tick() {
        ticks += 1
        record.tick(hashes: record.hashes(with: shift))
        if ticks.isMultiple(of: Self.hashrateTicks), job != nil, !isHeld { hub.send(.hashrate(record.hashrate)) }
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
        guard shift?.crew.kernel.variant != variant || isTuningDue || isShiftOutdated else { return }
        await endShift()
        isShiftOutdated = false
        let order = try workshop.order(for: variant, tuning: configuration.tuning, isFresh: isTuningDue)
        isTuningDue = false
        guard !isStopping else { return }
        let patience = WorkWatch(haste, count: haste.count)
        let prepared = try await workshop.prepare(
            variant,
            limits: order.limits,
            first: order.space?.first,
            watching: patience
        )
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
        if let space = order.space { tune(prepared.shift.crew, within: space, key: order.key, patience) }
    }

    /// Starts to look for the fastest form of work, on whatever the crew hashes meanwhile.
    private func tune(_ crew: WorkerCrew, within space: TuningSpace, key: TuningKey, _ patience: WorkWatch) {
        let hub = hub
        let tuner = Tuner(crew: crew, space: space, watch: patience) { hub.send(.tuning($0, hashesPerSecond: $1)) }
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
        haste.advance()
        guard let ended = shift else { return }
        await ended.crew.stop()
        record.endShift(ended)
        shift = nil
    }

    /// Runs `body` when nobody else changes the shift, one caller after the other.
    private func onShift(_ body: () async throws(MinerError) -> Void) async throws(MinerError) {
        while isShiftBusy { await withCheckedContinuation { shiftTurns.append($0) } }
        isShiftBusy = true
        defer {
            isShiftBusy = false
            if !shiftTurns.isEmpty { shiftTurns.removeFirst().resume() }
        }
        try await body()
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

/// The miner as its source sees it.
private struct MinerSink: WorkSink {
    let miner: Miner

    func deliver(_ job: Job) async { await miner.deliver(job) }
    func suspendWork(reason: String) async { await miner.suspendWork(reason: reason) }
    func judge(_ verdict: ShareVerdict) async { await miner.judge(verdict) }
    func announce(_ event: MinerEvent) async { await miner.announce(event) }
}

extension Miner {
    fileprivate func deliver(_ job: Job) async {
        guard let variant = HashVariant(job.algorithm) else { return }
        do {
            try await onShift { () async throws(MinerError) in
                guard !isStopping, failure == nil, successor == nil else { return }
                try await beginShift(variant)
                begin(job)
            }
        } catch {
            fail(error)
        }
    }

    private func begin(_ job: Job) {
        guard !isStopping, shift != nil else { return }
        self.job = job
        assign(job)
        record.difficulty = job.target.difficulty.hashes
        hub.send(.job(job))
        if isSuspended {
            isSuspended = false
            hub.send(.resumed)
        }
    }

    private func assign(_ job: Job) {
        shift?.crew.board.assign(Assignment(job: job, nonces: ledger.counter(for: job)))
    }

    fileprivate func suspendWork(reason: String) {
        job = nil
        shift?.crew.board.assign(nil)
        guard !isSuspended, !isStopping else { return }
        isSuspended = true
        hub.send(.paused(reason: reason))
    }

    fileprivate func judge(_ verdict: ShareVerdict) {
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

    fileprivate func announce(_ event: MinerEvent) {
        if case .switched(let pool) = event { record.pool = pool }
        hub.send(event)
    }
}

extension Locked<any WorkSource> {
    /// The source whose turn it is.
    fileprivate var current: any WorkSource { withLock { $0 } }
}
