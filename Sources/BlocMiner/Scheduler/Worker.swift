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

    /// Hashes batch after batch until the nonces run out, or the board changes and what is in flight is dropped.
    private func work(
        on assignment: Assignment,
        watching watch: WorkWatch,
        in workspace: inout HashWorkspace
    ) throws(HashError) {
        guard let first = nonces(of: assignment) else { return exhaust(assignment) }
        guard try workspace.start(assignment.job, nonces: first, watching: watch) else { return }
        while let nonces = nonces(of: assignment) {
            guard let batch = try workspace.next(assignment.job, nonces: nonces, watching: watch) else { return }
            complete(batch)
        }
        guard let last = try workspace.finish(watching: watch) else { return }
        complete(last)
        exhaust(assignment)
    }

    /// Nonces for a batch, fewer than there are lanes at the end; nil when they have run out.
    private func nonces(of assignment: Assignment) -> [Nonce]? {
        let space = assignment.job.nonceSpace
        return assignment.nonces.take(kernel.lanes, from: space)?.compactMap(space.nonce(at:))
    }

    private func complete(_ batch: HashedBatch) {
        counter.add(batch.digests.count)
        for share in batch.shares { found(share) }
    }

    private func exhaust(_ assignment: Assignment) {
        if assignment.exhaust() { report(.exhausted(assignment.job)) }
    }
}
