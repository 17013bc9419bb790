internal import CryptoNight
internal import Dispatch
internal import MachineTopology
internal import MiningWork

/// The workers of one plan: a Dispatch queue for each, which keeps a thread of its own for as long as the crew works.
final class WorkerCrew: Sendable {
    let plan: ThreadPlan
    let kernel: HashKernel
    let board: WorkBoard
    let counters: [WorkerCounter]
    private let working = DispatchGroup()
    private let settling = DispatchGroup()

    /// A crew that hasn't started. Its board has no assignment yet.
    ///
    /// The kernel's lanes are those that each worker has room for; they hash as `form` says, else with all of them.
    init(plan: ThreadPlan, kernel: HashKernel, form: WorkForm? = nil) {
        self.plan = plan
        self.kernel = kernel
        board = WorkBoard(
            form: form ?? WorkForm(threads: plan.threads.count, lanes: kernel.lanes, path: kernel.path)
        )
        counters = plan.threads.map { _ in WorkerCounter() }
    }

    /// Starts a worker on every PU of the plan. `found` may block its worker, and is called while it is pinned; `report`
    /// is called on the workers' threads too, but without their pins, since it may wake threads up.
    func start(
        policy: HugePagePolicy,
        pinning: Pinning,
        found: @escaping @Sendable (Share) -> Void,
        report say: @escaping @Sendable (WorkerReport) -> Void
    ) {
        for (number, placement) in plan.threads.enumerated() {
            let worker = Worker(
                number: number,
                kernel: kernel,
                policy: policy,
                board: board,
                counter: counters[number],
                found: found,
                report: { report in pinning.withoutPin { say(report) } }
            )
            settling.enter()
            DispatchQueue(label: "blocminer.worker.\(number)").async(group: working) { [settling] in
                pinning.withPinned(to: placement.pu) { worker.run($0) { pinning.withoutPin(settling.leave) } }
            }
        }
    }

    /// Closes the board and waits until every worker has ended and freed its memory.
    func stop() async {
        board.close()
        await withCheckedContinuation { ended in
            working.notify(queue: .global()) { ended.resume() }
        }
    }

    /// Waits until every worker is ready to hash, or has ended.
    func settled() async {
        await withCheckedContinuation { settled in
            settling.notify(queue: .global()) { settled.resume() }
        }
    }

    /// Hashes completed by all workers.
    var hashes: UInt64 { counters.reduce(0) { $0 + $1.reading.hashes } }
}
