import Dispatch
import Glibc
public import MiningWork
public import PoolTransport

/// Hashes a blob for the pool: on the slowest and surest path, away from the miner under test. `height` is the job's.
/// Nil if the blob can't be hashed.
public typealias ShareHash = @Sendable (_ algorithm: Algorithm, _ blob: [UInt8], _ height: UInt64?) -> Digest?

/// A small honest CryptoNote pool on this machine's loopback address: it serves jobs in BLOC's format, speaks login,
/// submit, keepalived and getjob as dvandal's pool does, and hashes every share itself.
///
/// All methods can be called from any thread. The owner keeps it: a released pool stops.
public final class LoopbackPool: Sendable {
    private struct Miner: Sendable {
        let connection: Connection
        var session: MinerSession
    }

    private struct State: Sendable {
        var listener: Listener?
        var miners: [Int: Miner] = [:]
        var statistics = PoolStatistics()
        var waitingShares = 0
        var generator: SeededGenerator
        var tip: ChainTip
        var lastBlock = Duration.zero
        /// Counts starts, so that a stopped run's timer ends.
        var run = 0
    }

    /// Most shares that wait to be hashed.
    private static let mostWaitingShares = 1024

    private let configuration: LoopbackPoolConfiguration
    private let hash: ShareHash
    private let onShare: (@Sendable (JudgedShare) -> Void)?
    private let queue = DispatchQueue(label: "loopback pool")
    private let verification = DispatchQueue(label: "share verification")
    private let state: Locked<State>
    private let birth = ContinuousClock().now

    /// A pool that verifies shares by `hash`, one at a time on a queue of its own. `onShare` hears of each judged share,
    /// one at a time.
    public init(
        _ configuration: LoopbackPoolConfiguration,
        hash: @escaping ShareHash,
        onShare: (@Sendable (JudgedShare) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.hash = hash
        self.onShare = onShare
        let seed = configuration.seed ?? UInt64.random(in: 0...UInt64.max)
        let tip = ChainTip(height: configuration.height, previousID: ChainTip.genesisID, timestamp: Self.wallTime)
        state = Locked(State(generator: SeededGenerator(seed: seed), tip: tip))
    }

    /// Opens the port and serves. Answers the port; a second call answers the same.
    @discardableResult
    public func start() throws(ListenerError) -> UInt16 {
        if let listener = state.withLock({ $0.listener }) { return listener.port }
        var limits = ConnectionLimits()
        limits.lineBytes = 10240
        let listener = try Listener(
            port: configuration.port,
            family: configuration.family,
            limits: limits,
            queue: queue
        )
        let run = state.withLock { state in
            state.listener = listener
            state.run += 1
            return state.run
        }
        listener.start { [weak self] in self?.accepted($0) }
        scheduleTick(of: run)
        return listener.port
    }

    /// Closes the port and all connections. Idempotent; a stopped pool can be started again.
    public func stop() {
        let (listener, miners) = state.withLock { state in
            defer { (state.listener, state.miners) = (nil, [:]) }
            return (state.listener, state.miners)
        }
        listener?.stop()
        for miner in miners.values { miner.connection.close() }
    }

    /// What was counted so far.
    public var statistics: PoolStatistics { state.withLock { $0.statistics } }

    /// Lets the chain grow by one block: every miner gets a new job.
    public func growChain() {
        let now = elapsed
        state.withLock { state in
            state.lastBlock = now
            state.tip.height &+= 1
            state.tip.previousID = state.generator.hashBytes()
            state.tip.timestamp = Self.wallTime
        }
        forEachMiner { $0.advanced(to: $1) }
    }

    private var elapsed: Duration { birth.duration(to: ContinuousClock().now) }

    private static var wallTime: UInt64 { UInt64(max(0, time(nil))) }
}

// Connections.
extension LoopbackPool {
    private func accepted(_ connection: Connection) {
        let number = state.withLock { state -> Int? in
            guard state.listener != nil else { return nil }
            state.statistics.connections += 1
            let number = state.statistics.connections
            let seed = state.generator.next()
            let session = MinerSession(number: number, configuration: configuration, tip: state.tip, seed: seed)
            state.miners[number] = Miner(connection: connection, session: session)
            return number
        }
        guard let number else { return }
        connection.start { [weak self] event in
            switch event {
            case .connected: break
            case .line(let line): self?.update(number) { $0.received(line: line, at: $1) }
            case .closed: self?.forget(number)
            }
        }
    }

    private func forget(_ number: Int) {
        // Taken out of the lock before it is released.
        let miner = state.withLock { $0.miners.removeValue(forKey: number) }
        withExtendedLifetime(miner) {}
    }

    /// Lets a session take an event and does what it asks for. Sends keep their order, since the lock is held.
    private func update(_ number: Int, _ event: (inout MinerSession, Duration) -> [SessionAction]) {
        let now = elapsed
        let shares = state.withLock { state -> [JudgedShare] in
            guard var miner = state.miners[number] else { return [] }
            let actions = event(&miner.session, now)
            state.miners[number] = miner
            return actions.flatMap { perform($0, for: miner, number, &state) }
        }
        for share in shares { onShare?(share) }
    }

    private func forEachMiner(_ event: @escaping @Sendable (inout MinerSession, ChainTip) -> [SessionAction]) {
        let (numbers, tip) = state.withLock { ($0.miners.keys.sorted(), $0.tip) }
        for number in numbers { update(number) { session, _ in event(&session, tip) } }
    }

    /// Answers the shares to report once the lock is free.
    private func perform(
        _ action: SessionAction,
        for miner: Miner,
        _ number: Int,
        _ state: inout State
    ) -> [JudgedShare] {
        switch action {
        case .send(let line): miner.connection.send(line: line)
        case .hangUp: miner.connection.closeAfterFlush()
        case .countLogin: state.statistics.logins += 1
        case .countJob: state.statistics.jobs += 1
        case .report(let share):
            state.statistics.count(share)
            return [share]
        case .verify(let submission):
            guard state.waitingShares < Self.mostWaitingShares else {
                return miner.session.overloaded(by: submission).flatMap { perform($0, for: miner, number, &state) }
            }
            state.waitingShares += 1
            verify(submission, of: number)
        }
        return []
    }

    private func verify(_ submission: Submission, of number: Int) {
        verification.async { [weak self, hash, configuration, queue] in
            let digest = hash(configuration.algorithm, submission.blob, submission.height)
            queue.async { [weak self] in
                self?.state.withLock { $0.waitingShares -= 1 }
                self?.update(number) { $0.verified(submission, digest: digest, at: $1) }
            }
        }
    }
}

// Time.
extension LoopbackPool {
    /// Looks every second, or as often as blocks come, at the difficulties and the chain.
    private func scheduleTick(of run: Int) {
        let pause = max(.milliseconds(10), min(.seconds(1), configuration.blockInterval ?? .seconds(1)))
        queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.tick(of: run) }
    }

    private func tick(of run: Int) {
        let now = elapsed
        let (isRunning, lastBlock) = state.withLock { ($0.listener != nil && $0.run == run, $0.lastBlock) }
        guard isRunning else { return }
        if let interval = configuration.blockInterval, now - lastBlock >= interval { growChain() }
        forEachMiner { session, _ in session.ticked(at: now) }
        scheduleTick(of: run)
    }
}
