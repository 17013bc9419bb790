internal import CryptoNight
internal import MiningWork
internal import PoolTransport
internal import Stratum
internal import Synchronization

/// Work from the first of several pools that works: drives a `PoolRotation` over connections.
final class PoolSource: WorkSource {
    /// What can happen to the conversations, in the order in which it does.
    enum Input: Sendable {
        case connection(ConnectionEvent, pool: Int, attempt: Int)
        case deadline
        case found(Share)
        case exhausted(Job)
        case finish(within: Duration)
        case graceOver
    }

    private let pools: [PoolConfiguration]
    private let rotation: PoolRotation
    private let inputs: AsyncStream<Input>
    private let inbox: AsyncStream<Input>.Continuation
    private let pending = Atomic<Int>(0)

    /// A source that hasn't connected, over pools in the order of preference. `algorithms`, one for each pool, hold for
    /// jobs that don't name theirs.
    init(_ pools: [PoolConfiguration], algorithms: [Algorithm?], trial: Duration) {
        self.pools = pools
        rotation = PoolRotation(zip(pools, algorithms).map { $0.session(algorithm: $1) }, trial: trial)
        (inputs, inbox) = AsyncStream.makeStream()
    }

    func run(_ sink: any WorkSink) async throws(MinerError) {
        var conversations = PoolConversations(rotation, with: pools, inbox: inbox, sink: sink)
        defer { conversations.close() }
        try await conversations.begin()
        for await input in inputs {
            let isOver = try await conversations.take(input)
            pending.store(conversations.pendingCount, ordering: .relaxed)
            if isOver { return }
        }
    }

    func submit(_ share: Share) { inbox.yield(.found(share)) }
    func replace(exhausted job: Job) { inbox.yield(.exhausted(job)) }
    func finish(within grace: Duration) { inbox.yield(.finish(within: grace)) }
    var pendingCount: Int { pending.load(ordering: .relaxed) }
}

extension PoolConfiguration {
    /// The way to the pool.
    func route() -> PoolRoute { PoolRoute(to: address, tls: tls, proxy: proxy) }

    /// The way to another port of the pool's host.
    func route(port: UInt16) -> PoolRoute {
        var other = (try? PoolAddress(host: address.host, port: port)) ?? address
        other.usesTLS = address.usesTLS
        return PoolRoute(to: other, tls: tls, proxy: proxy)
    }

    /// The session with this pool. `algorithm` holds for jobs that don't name theirs.
    fileprivate func session(algorithm: Algorithm?) -> StratumSession.Configuration {
        StratumSession.Configuration(
            user: user,
            password: password,
            rigID: rigID,
            agent: "BlocMiner/\(BlocMinerVersion.current)",
            algorithm: algorithm,
            catalog: .cryptoNight,
            host: address.host,
            isNiceHash: isNiceHash,
            sendsKeepalive: sendsKeepalive,
            jitterSeed: .random(in: 0 ... .max)
        )
    }
}
