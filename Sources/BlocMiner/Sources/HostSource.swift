public import MiningWork
internal import PoolTransport
internal import Stratum

/// Work from the program that embeds the miner: it sets jobs of its own and takes the shares.
///
/// All methods return at once, from any thread. A job replaces the one before, also one that nobody has begun with.
public final class HostSource: WorkSource {
    private struct State {
        var job: Job?
        var suspension: String?
        var verdicts: [ShareVerdict] = []
    }

    private let state = Locked(State())
    private let bell: AsyncStream<Void>
    private let rope: AsyncStream<Void>.Continuation
    private let found: @Sendable (Share) -> Void
    private let exhausted: @Sendable (Job) -> Void

    /// A source without a job. `found` takes each share, hashed twice, on a thread of the library, and must not block
    /// for long; each counts as accepted. `exhausted` hears of a job of which every nonce has been tried.
    public init(
        found: @escaping @Sendable (Share) -> Void,
        exhausted: @escaping @Sendable (Job) -> Void = { _ in }
    ) {
        self.found = found
        self.exhausted = exhausted
        (bell, rope) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Mines `job` from now on.
    public func mine(_ job: Job) {
        state.withLock {
            $0.job = job
            $0.suspension = nil
        }
        rope.yield()
    }

    /// Mines nothing until the next job.
    public func suspend(reason: String = "by the host") {
        state.withLock {
            $0.job = nil
            $0.suspension = reason
        }
        rope.yield()
    }

    /// Tells `sink` what was set, until `finish`. The miner calls it.
    public func run(_ sink: any WorkSink) async throws(MinerError) {
        for await _ in bell {
            let news = state.withLock { state in
                defer { state = State() }
                return state
            }
            for verdict in news.verdicts { await sink.judge(verdict) }
            if let reason = news.suspension { await sink.suspendWork(reason: reason) }
            if let job = news.job { await sink.deliver(job) }
        }
    }

    /// Takes a share from the miner.
    public func submit(_ share: Share) {
        found(share)
        state.withLock { $0.verdicts.append(ShareVerdict(share: share, outcome: .accepted, latency: .zero)) }
        rope.yield()
    }

    /// Hears from the miner that the job's nonces are used up.
    public func replace(exhausted job: Job) { exhausted(job) }

    /// Ends `run`.
    public func finish(within grace: Duration) { rope.finish() }

    /// Shares of which the miner hasn't heard yet that they were taken.
    public var pendingCount: Int { state.withLock { $0.verdicts.count } }
}
