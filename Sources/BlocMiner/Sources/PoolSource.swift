internal import CryptoNight
internal import MiningWork
internal import PoolTransport
internal import Stratum
internal import Synchronization

/// Work from one pool: drives a `StratumSession` over connections.
final class PoolSource: WorkSource {
    /// What can happen to the conversation, in the order in which it does.
    enum Input: Sendable {
        case connection(ConnectionEvent, attempt: Int)
        case retry(attempt: Int)
        case deadline
        case found(Share)
        case exhausted(Job)
        case finish(within: Duration)
        case graceOver
    }

    private let configuration: PoolConfiguration
    private let algorithm: Algorithm?
    private let inputs: AsyncStream<Input>
    private let inbox: AsyncStream<Input>.Continuation
    private let pending = Atomic<Int>(0)

    /// A source that hasn't connected. `algorithm` holds for jobs that don't name theirs.
    init(_ configuration: PoolConfiguration, algorithm: Algorithm?) {
        self.configuration = configuration
        self.algorithm = algorithm
        (inputs, inbox) = AsyncStream.makeStream()
    }

    func run(_ sink: any WorkSink) async throws(MinerError) {
        var conversation = PoolConversation(
            session: StratumSession(session),
            route: PoolRoute(to: configuration.address, tls: configuration.tls, proxy: configuration.proxy),
            inbox: inbox,
            sink: sink
        )
        defer { conversation.close() }
        await conversation.connect()
        for await input in inputs {
            let isOver = try await conversation.take(input)
            pending.store(conversation.pendingCount, ordering: .relaxed)
            if isOver { return }
        }
    }

    func submit(_ share: Share) { inbox.yield(.found(share)) }
    func replace(exhausted job: Job) { inbox.yield(.exhausted(job)) }
    func finish(within grace: Duration) { inbox.yield(.finish(within: grace)) }
    var pendingCount: Int { pending.load(ordering: .relaxed) }

    private var session: StratumSession.Configuration {
        StratumSession.Configuration(
            user: configuration.user,
            password: configuration.password,
            rigID: configuration.rigID,
            agent: "BlocMiner/\(BlocMinerVersion.current)",
            algorithm: algorithm,
            catalog: .cryptoNight,
            host: configuration.address.host,
            isNiceHash: configuration.isNiceHash,
            sendsKeepalive: configuration.sendsKeepalive,
            jitterSeed: .random(in: 0 ... .max)
        )
    }
}
