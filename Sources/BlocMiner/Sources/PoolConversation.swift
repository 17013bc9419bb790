internal import MiningWork
internal import PoolTransport
internal import Stratum

/// A session, the connection it speaks over, and the clock it goes by. Carries out what the session decides.
struct PoolConversation {
    private var session: StratumSession
    private let route: PoolRoute
    private let inbox: AsyncStream<PoolSource.Input>.Continuation
    private let sink: any WorkSink
    private let start = ContinuousClock.now

    private var connection: Connection?
    /// Which connection is spoken over: events of earlier ones are old news.
    private var attempt = 0
    private var remote = ""
    private var security: TLSSecurity?
    private var closeReason = "not connected"
    private var alarm: Task<Void, Never>?
    private var isFinishing = false

    init(
        session: StratumSession,
        route: PoolRoute,
        inbox: AsyncStream<PoolSource.Input>.Continuation,
        sink: any WorkSink
    ) {
        self.session = session
        self.route = route
        self.inbox = inbox
        self.sink = sink
    }

    private var pool: String { route.address.description }

    /// Shares that wait for a verdict.
    var pendingCount: Int { session.pendingShareCount }

    /// Opens the next connection.
    mutating func connect() async {
        attempt += 1
        await sink.announce(.connecting(pool: pool))
        let connection = Connection(over: route)
        self.connection = connection
        let (inbox, attempt) = (inbox, attempt)
        connection.start { inbox.yield(.connection($0, attempt: attempt)) }
    }

    /// Ends the conversation without a word.
    mutating func close() {
        alarm?.cancel()
        connection?.close()
        connection = nil
    }

    /// Takes note of what happened. True when the conversation is over.
    mutating func take(_ input: PoolSource.Input) async throws(MinerError) -> Bool {
        if case .graceOver = input { return try await say(.stopped) }
        if case .finish(let grace) = input {
            isFinishing = true
            schedule(.graceOver, after: grace)
        }
        if case .retry(attempt) = input, !isFinishing { await connect() }
        if let event = event(of: input), try await say(event) { return true }
        return isFinishing && session.pendingShareCount == 0 ? try await say(.stopped) : false
    }

    /// What the session is to hear of it, if anything.
    private mutating func event(of input: PoolSource.Input) -> StratumSession.Event? {
        switch input {
        case .connection(.connected(let remote, let security), attempt):
            (self.remote, self.security) = (remote, security)
            return .connected
        case .connection(.line(let line), attempt): return .received(line: line)
        case .connection(.closed(let reason), attempt):
            connection = nil
            closeReason = reason
            return .disconnected(reason: reason)
        case .deadline: return .timePassed
        case .found(let share): return .found(share)
        case .exhausted(let job): return .nonceSpaceExhausted(job)
        case .connection, .retry, .finish, .graceOver: return nil
        }
    }

    /// Tells the session and does what it says. True when it was the last word.
    private mutating func say(_ event: StratumSession.Event) async throws(MinerError) -> Bool {
        for action in session.handle(event, at: start.duration(to: .now)) { try await perform(action) }
        if let deadline = session.nextDeadline {
            alarm?.cancel()
            alarm = schedule(.deadline, after: deadline - start.duration(to: .now))
        }
        if case .stopped = event { return true }
        return false
    }

    private mutating func perform(_ action: StratumSession.Action) async throws(MinerError) {
        switch action {
        case .send(let line): connection?.send(line: line)
        case .disconnect(let reason): hangUp(reason)
        case .connect(let delay): await reconnect(after: delay)
        case .deliver(let job): await sink.deliver(job)
        case .suspendWork(let reason): await sink.suspendWork(reason: reason)
        case .judged(let verdict): await sink.judge(verdict)
        case .loggedIn(let extensions):
            await sink.announce(
                .connected(pool: pool, remote: remote, security: security, extensions: extensions)
            )
        case .note(let text): await sink.announce(.note(text))
        case .warn(let text): await sink.announce(.warning(text))
        case .giveUp(let reason): throw .failure("\(pool): \(reason)")
        }
    }

    private mutating func hangUp(_ reason: String) {
        closeReason = reason
        connection?.cancel()
        connection = nil
    }

    private mutating func reconnect(after delay: Duration) async {
        connection?.cancel()
        connection = nil
        await sink.announce(.disconnected(pool: pool, reason: closeReason, retry: delay))
        schedule(.retry(attempt: attempt), after: delay)
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
