public import MiningWork
public import Stratum

/// Where jobs come from and shares go to: a pool, or the host itself. Serves one miner once.
///
/// A host that makes its own jobs usually takes `HostSource`; a type of its own that conforms can also give the verdicts.
public protocol WorkSource: AnyObject, Sendable {
    /// Feeds `sink` until it is told to finish, its task is cancelled, or there is nothing left to try.
    func run(_ sink: any WorkSink) async throws(MinerError)

    /// Takes a share that was found and checked. Returns at once, from any thread.
    func submit(_ share: Share)

    /// Asks for other work: the job's nonces are used up. Returns at once, from any thread.
    func replace(exhausted job: Job)

    /// Lets `run` return as soon as every share has its verdict, after `grace` at the latest.
    func finish(within grace: Duration)

    /// Shares that wait for a verdict.
    var pendingCount: Int { get }
}

/// Who mines what a source delivers.
public protocol WorkSink: Sendable {
    /// Mine `job` and nothing older. Returns when the workers have it.
    func deliver(_ job: Job) async

    /// Mine nothing until the next job.
    func suspendWork(reason: String) async

    /// A share came to its end.
    func judge(_ verdict: ShareVerdict) async

    /// Tell the listeners.
    func announce(_ event: MinerEvent) async
}
