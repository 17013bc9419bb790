internal import CryptoNight
internal import Dispatch
internal import MachineTopology
internal import MiningWork

/// What a worker has to say. Workers count from 0.
enum WorkerReport: Sendable {
    /// Its scratchpads lie on these pages; it is about to hash.
    case ready(worker: Int, PageBacking)
    /// Pinning was refused, in words.
    case note(worker: Int, String)
    /// It can't hash, and has ended.
    case failed(worker: Int, String)
    /// The assignment's nonces have run out.
    case exhausted(Job)
}

/// Hashes on one PU: takes nonces of the board's assignment, so many lanes at a time, until the board is closed.
struct Worker: Sendable {
    let number: Int
    let kernel: HashKernel
    let policy: HugePagePolicy
    let board: WorkBoard
    let counter: WorkerCounter
    let found: @Sendable (Share) -> Void
    let report: @Sendable (WorkerReport) -> Void

    /// Works until the board is closed. On the worker's own thread, pinned as `pinning` says. `settled` is called once,
    /// when it is ready to hash or has ended.
    func run(_ pinning: Pinning.Outcome, settled: () -> Void) {
        for note in pinning.notes { report(.note(worker: number, note)) }
        do {
            var workspace = try HashWorkspace(kernel, policy: policy)
            let isReady = try prepare(&workspace)
            settled()
            if isReady { work(in: &workspace) }
        } catch {
            report(.failed(worker: number, "\(error)"))
            settled()
        }
    }

    /// Makes the pages exist and computes the known answers. False when the board was closed meanwhile.
    private func prepare(_ workspace: inout HashWorkspace) throws(SelfTestError) -> Bool {
        while !workspace.touch(watching: board.watch()) {
            if board.isClosed { return false }
        }
        _ = try workspace.selfTest()
        report(.ready(worker: number, workspace.backing))
        return true
    }

    private func work(in workspace: inout HashWorkspace) {
        let sleeper = DispatchSemaphore(value: 0)
        do {
            while let (assignment, watch) = board.next(waitingOn: sleeper) {
                try work(on: assignment, watching: watch, in: &workspace)
            }
        } catch {
            report(.failed(worker: number, "\(error)"))
        }
    }

    private func work(
        on assignment: Assignment,
        watching watch: WorkWatch,
        in workspace: inout HashWorkspace
    ) throws(HashError) {
        let job = assignment.job
        while watch.isCurrent {
            guard let places = assignment.nonces.take(kernel.lanes, from: job.nonceSpace) else {
                if assignment.exhaust() { report(.exhausted(job)) }
                return
            }
            let nonces = places.compactMap(job.nonceSpace.nonce(at:))
            guard let shares = try workspace.shares(of: job, nonces: nonces, watching: watch) else { return }
            counter.add(nonces.count)
            for share in shares { found(share) }
        }
    }
}
