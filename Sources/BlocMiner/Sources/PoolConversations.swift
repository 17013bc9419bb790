internal import Dispatch
internal import MiningWork
internal import PoolTransport
internal import Stratum

/// The rotation over all pools, the connections that it is spoken over, and the clock it goes by. Carries out what the
/// rotation decides.
struct PoolConversations {
    /// A pool's connection.
    private struct Line {
        let pool: PoolConfiguration
        /// Kept from connection to connection: it remembers the last address that was good.
        let route: PoolRoute
        var connection: Connection?
        /// Which connection is spoken over: events of earlier ones are old news.
        var attempt = 0
        var remote = ""
        var security: TLSSecurity?
    }

    private var rotation: PoolRotation
    private var lines: [Line]
    private let inbox: AsyncStream<PoolSource.Input>.Continuation
    private let sink: any WorkSink
    private let start = ContinuousClock.now
    private var alarm: Task<Void, Never>?
    private var isFinishing = false

    /// Conversations with `pools`, which `rotation` knows by their places.
    init(
        _ rotation: PoolRotation,
        with pools: [PoolConfiguration],
        inbox: AsyncStream<PoolSource.Input>.Continuation,
        sink: any WorkSink
    ) {
        self.rotation = rotation
        self.inbox = inbox
        self.sink = sink
        lines = pools.map { Line(pool: $0, route: $0.route()) }
    }

    /// Shares that wait for a verdict.
    var pendingCount: Int { rotation.pendingShareCount }

    /// Opens the first connection.
    mutating func begin() async throws(MinerError) { _ = try await say(.started) }

    /// Ends all conversations without a word.
    mutating func close() {
        alarm?.cancel()
        for index in lines.indices { hangUp(index) }
    }

    /// Takes note of what happened. True when the conversations are over.
    mutating func take(_ input: PoolSource.Input) async throws(MinerError) -> Bool {
        if case .graceOver = input { return try await say(.stopped) }
        if case .finish(let grace) = input {
            isFinishing = true
            schedule(.graceOver, after: grace)
        }
        if let event = event(of: input), try await say(event) { return true }
        return isFinishing && rotation.pendingShareCount == 0 ? try await say(.stopped) : false
    }

    /// What the rotation is to hear of it, if anything.
    private mutating func event(of input: PoolSource.Input) -> PoolRotation.Event? {
        switch input {
        case .connection(let event, let pool, let attempt) where attempt == lines[pool].attempt:
            switch event {
            case .connected(let remote, let security):
                (lines[pool].remote, lines[pool].security) = (remote, security)
                return .connected(pool: pool)
            case .line(let line): return .received(pool: pool, line: line)
            case .closed(let reason):
                lines[pool].connection = nil
                return .disconnected(pool: pool, reason: reason)
            }
        case .deadline: return .timePassed
        case .found(let share): return .found(share)
        case .exhausted(let job): return .nonceSpaceExhausted(job)
        case .connection, .finish, .graceOver: return nil
        }
    }

    /// Tells the rotation and does what it says. True when it was the last word.
    private mutating func say(_ event: PoolRotation.Event) async throws(MinerError) -> Bool {
        for action in rotation.handle(event, at: start.duration(to: .now)) { try await perform(action) }
        alarm?.cancel()
        alarm = rotation.nextDeadline.map { schedule(.deadline, after: $0 - start.duration(to: .now)) }
        if case .stopped = event { return true }
        return false
    }

    private mutating func perform(_ action: PoolRotation.Action) async throws(MinerError) {
        switch action {
        case .connect(let pool, let port): await connect(pool, port)
        case .send(let pool, let line): lines[pool].connection?.send(line: line)
        case .disconnect(let pool, _): hangUp(pool)
        case .reportLoss(let pool, let reason, let retry):
            await sink.announce(.disconnected(pool: name(of: pool), reason: reason, retry: retry))
        case .reportLogin(let pool, let extensions):
            let (remote, security) = (lines[pool].remote, lines[pool].security)
            await sink.announce(
                .connected(pool: name(of: pool), remote: remote, security: security, extensions: extensions)
            )
        case .choose(let pool): if lines.count > 1 { await sink.announce(.switched(pool: name(of: pool))) }
        case .deliver(let job): await sink.deliver(job)
        case .suspendWork(let reason): await sink.suspendWork(reason: reason)
        case .judged(let verdict): await sink.judge(verdict)
        case .examine(let pool, let shares, let refusal): examine(shares, of: pool, refusal)
        case .note(let pool, let text): await sink.announce(.note(attributed(text, to: pool)))
        case .warn(let pool, let text): await sink.announce(.warning(attributed(text, to: pool)))
        case .giveUp(let reasons):
            let causes = zip(lines, reasons).map { "\($0.pool.address): \($1)" }
            throw .failure(causes.joined(separator: "; "))
        }
    }

    private func name(of pool: Int) -> String { lines[pool].pool.address.description }

    /// Where there are several pools, who it is about.
    private func attributed(_ text: String, to pool: Int) -> String {
        lines.count > 1 ? "\(name(of: pool)): \(text)" : text
    }

    /// While the miner finishes, nobody is called any more.
    private mutating func connect(_ pool: Int, _ port: UInt16?) async {
        hangUp(pool)
        guard !isFinishing else { return }
        lines[pool].attempt += 1
        await sink.announce(.connecting(pool: name(of: pool)))
        let connection = Connection(over: port.map(lines[pool].pool.route) ?? lines[pool].route)
        lines[pool].connection = connection
        let (inbox, attempt) = (inbox, lines[pool].attempt)
        connection.start { inbox.yield(.connection($0, pool: pool, attempt: attempt)) }
    }

    private mutating func hangUp(_ pool: Int) {
        lines[pool].connection?.cancel()
        lines[pool].connection = nil
    }

    /// Hashes the shares again, away from everybody, and tells what the pool may want.
    private func examine(_ shares: [Share], of pool: Int, _ refusal: String) {
        let suspicion = AlgorithmSuspicion(shares, refusal: refusal, pool: lines[pool].pool)
        let about = lines.count > 1 ? name(of: pool) + ": " : ""
        DispatchQueue.global(qos: .utility).async { [sink] in
            let sentence = suspicion.sentence()
            Task { await sink.announce(.warning(about + sentence)) }
        }
    }

    @discardableResult
    private func schedule(_ input: PoolSource.Input, after delay: Duration) -> Task<Void, Never> {
        let inbox = inbox
        return Task {
            try? await Task.sleep(for: max(.zero, delay))
            if !Task.isCancelled { inbox.yield(input) }
        }
    }
}
