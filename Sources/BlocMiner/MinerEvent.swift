public import CryptoNight
public import MachineTopology
public import MiningWork
public import PoolTransport

/// Something that happened while mining, in the order in which it did.
public enum MinerEvent: Sendable {
    /// A connection is being made.
    case connecting(pool: String)
    /// The pool took the login. `remote` is the address that answered, after "proxy" if it is a proxy's; `security` is
    /// what TLS came to, nil without it.
    case connected(pool: String, remote: String, security: TLSSecurity?, extensions: [String])
    /// The connection ended, or never came to be; the next attempt comes after `retry`, if one does.
    case disconnected(pool: String, reason: String, retry: Duration?)
    /// Of several pools this one is mined for from now on.
    case switched(pool: String)
    /// Workers start: on these threads, with this form of the kernels.
    case started(ThreadPlan, HashKernel)
    /// A worker has its scratchpads. `worker` counts from 0.
    case pages(worker: Int, PageBacking)
    /// The tuner measured a form of work on the job at hand.
    case tuning(WorkForm, hashesPerSecond: Double)
    /// The tuner found the fastest form; mining goes on in it.
    case tuned(WorkForm, hashesPerSecond: Double)
    /// A job replaced all earlier ones.
    case job(Job)
    /// The hashrates, every ten seconds while there is something to hash.
    case hashrate(HashrateWindows)
    /// What became of a share.
    case share(ShareEvent)
    /// Hashing pauses, and why.
    case paused(reason: String)
    /// Hashing goes on.
    case resumed
    /// Something worth a line.
    case note(String)
    /// Something worth the user's attention.
    case warning(String)
}

/// What became of a share.
public struct ShareEvent: Sendable {
    /// The ends that a share can come to.
    public enum Outcome: Sendable, Hashable {
        /// The pool took it, so long after it was sent.
        case accepted(latency: Duration)
        /// The pool refused it, with these words.
        case rejected(reason: String, latency: Duration)
        /// It came too late: dropped before it was sent, or refused as old.
        case stale(reason: String)
        /// It failed our own check and was not sent: a hardware fault or a kernel bug. `computed` is the worker's
        /// digest, `checked` the portable path's.
        case invalid(computed: Digest, checked: Digest)
    }

    /// The share.
    public let share: Share
    /// Its end.
    public let outcome: Outcome

    /// `share` came to `outcome`.
    public init(share: Share, outcome: Outcome) {
        self.share = share
        self.outcome = outcome
    }
}
