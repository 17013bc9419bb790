internal import CryptoNight
internal import Dispatch
internal import MachineTopology
internal import MiningWork

/// A crew at work, and the verifier of what it finds.
struct Shift: Sendable {
    let crew: WorkerCrew
    let verifier: ShareVerifier
}

/// What the shop floor has to say.
enum WorkshopReport: Sendable {
    /// From a worker.
    case worker(WorkerReport)
    /// From the verifier.
    case checked(ShareFinding)
}

/// The machine as a place to hash: plans threads, picks kernels, starts crews.
struct Workshop: Sendable {
    var limits: HashingLimits
    let topology: TopologySnapshot
    private let pinning: Pinning
    private let report: @Sendable (WorkshopReport) -> Void

    /// Looks at the machine. `report` is called on the threads of workers and verifiers.
    init(limits: HashingLimits, report: @escaping @Sendable (WorkshopReport) -> Void) throws(MinerError) {
        self.limits = limits
        self.report = report
        do {
            topology = try TopologySnapshot.current()
            pinning = try Pinning()
        } catch {
            throw .failure("\(error)")
        }
    }

    /// Which threads would hash `variant`.
    func plan(for variant: HashVariant) throws(MinerError) -> ThreadPlan { try limits.plan(for: variant, on: topology) }

    /// Plans and self-tests, away from the caller's thread. The shift hasn't started. For a tuner it begins with the
    /// `first` threads and lanes, and has room for those of the limits. The self-test ends early when `watch` changes.
    func prepare(
        _ variant: HashVariant,
        limits: HashingLimits,
        first: (threads: Int, lanes: Int)? = nil,
        watching watch: WorkWatch? = nil
    ) async throws(MinerError) -> (shift: Shift, refusals: [String]) {
        let plan = try limits.plan(for: variant, on: topology)
        let path = limits.path
        // One lane count beyond the unrolled ones stands for all that a tuner may try; its worker tests the first one.
        let tested = first == nil ? plan.lanes : min(plan.lanes, TuningSearch.distinctLanes.last ?? 1)
        let choice: Result<KernelChoice, MinerError> = await withCheckedContinuation { chosen in
            DispatchQueue.global().async {
                chosen.resume(
                    returning: Result { () throws(MinerError) in
                        try KernelChoice(variant: variant, path: path, lanes: tested, watching: watch)
                    }
                )
            }
        }
        let kernels = try choice.get()
        let kernel = HashKernel(variant: variant, path: kernels.mining.path, lanes: plan.lanes)
        try checkReserve(for: kernel, threads: plan.threads.count)
        let shift = Shift(
            crew: WorkerCrew(
                plan: plan,
                kernel: kernel,
                form: first.map { WorkForm(threads: $0.threads, lanes: $0.lanes, path: kernel.path) }
            ),
            verifier: ShareVerifier(kernel: kernels.checking) { [report] in report(.checked($0)) }
        )
        return (shift, kernels.refusals)
    }

    /// Where huge pages are required: whether there are enough for all workers together.
    private func checkReserve(for kernel: HashKernel, threads: Int) throws(MinerError) {
        guard limits.hugePages == .require else { return }
        let page = PageBacking.hugePageBytes
        let needed = threads * ((kernel.scratchpadBytes + page - 1) / page)
        let reserve = HugePageReserve.current
        guard reserve.available < needed else { return }
        let error = ScratchpadError.noHugePages(
            needed: needed,
            available: reserve.available,
            command: reserve.command(toProvide: needed)
        )
        throw .failure(error.description)
    }

    /// Lets the shift's own verifier look at every share before it is sent. Its thread is not a pinned one.
    func start(_ shift: Shift) {
        let (pinning, verifier) = (pinning, shift.verifier)
        start(shift) { share in pinning.withoutPin { verifier.check(share) } }
    }

    /// Starts the shift's workers. `found` hears of every share, on its worker's thread, and may block it.
    func start(_ shift: Shift, found: @escaping @Sendable (Share) -> Void) {
        shift.crew.start(policy: limits.hugePages, pinning: pinning, found: found) { [report] in report(.worker($0)) }
    }
}

extension HashingLimits {
    /// The threads that hash `variant` within these limits.
    func plan(for variant: HashVariant, on topology: TopologySnapshot) throws(MinerError) -> ThreadPlan {
        let threadLimits = ThreadLimits(threads: threads, affinity: affinity, lanes: lanes)
        do {
            return try ThreadPlan(
                topology: topology,
                limits: threadLimits,
                scratchpadBytes: variant.memoryBytes
            )
        } catch {
            throw .usage("\(error)")
        }
    }
}
