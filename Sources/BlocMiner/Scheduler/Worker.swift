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
        let form = board.form
        workspace.use(path: form.path, lanes: form.lanes)
        while !workspace.touch(watching: board.watch()) {
            if board.isClosed { return false }
        }
        while try workspace.selfTest(watching: board.watch()) == nil {
            if board.isClosed { return false }
        }
        if case .interpreted(.refused) = workspace.programForm {
            report(.note(worker: number, "programs of \(kernel.variant.name) are interpreted: no executable memory"))
        }
        report(.ready(worker: number, workspace.backing))
        return true
    }

    private func work(in workspace: inout HashWorkspace) {
        let sleeper = DispatchSemaphore(value: 0)
        var settled: WorkForm?
        do {
            while let task = board.next(for: number, waitingOn: sleeper) {
                workspace.use(path: task.form.path, lanes: task.form.lanes)
                if task.isSettled, task.form != settled {
                    settled = task.form
                    settle(workspace)
                }
                try work(on: task, in: &workspace)
            }
        } catch {
            report(.failed(worker: number, "\(error)"))
        }
    }

    /// Gives back memory that the tuned form doesn't need, and tells what pages the rest lies on.
    private func settle(_ workspace: borrowing HashWorkspace) {
        workspace.trim()
        if workspace.touch(watching: board.watch()) { report(.ready(worker: number, workspace.backing)) }
    }

    /// Hashes batch after batch until the nonces run out, the form changes and what is in flight is finished, or the
    /// board changes and what is in flight is dropped.
    private func work(on task: WorkBoard.Task, in workspace: inout HashWorkspace) throws(HashError) {
        let (assignment, watch) = (task.assignment, task.watch)
        guard let first = nonces(for: task) else { return exhaust(assignment) }
        guard try workspace.start(assignment.job, nonces: first, watching: watch) else { return }
        while board.isCurrentForm(of: task) {
            guard let nonces = nonces(for: task) else { break }
            guard let batch = try workspace.next(assignment.job, nonces: nonces, watching: watch) else { return }
            complete(batch, of: task)
        }
        guard let last = try workspace.finish(watching: watch) else { return }
        complete(last, of: task)
        if board.isCurrentForm(of: task) { exhaust(assignment) }
    }

    /// Nonces for a batch, fewer than there are lanes at the end; nil when they have run out.
    private func nonces(for task: WorkBoard.Task) -> [Nonce]? {
        let space = task.assignment.job.nonceSpace
        return task.assignment.nonces.take(task.form.lanes, from: space)?.compactMap(space.nonce(at:))
    }

    private func complete(_ batch: HashedBatch, of task: WorkBoard.Task) {
        counter.add(batch.digests.count, in: task.form)
        for share in batch.shares { found(share) }
    }

    private func exhaust(_ assignment: Assignment) {
        if assignment.exhaust() { report(.exhausted(assignment.job)) }
    }
}
