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
    /// A share that failed our own check.
    case invalid(Share, checked: Digest)
    /// Something worth the user's attention.
    case warning(String)
}

/// The machine as a place to hash: plans threads, picks kernels, starts crews.
struct Workshop: Sendable {
    private let limits: HashingLimits
    private let topology: TopologySnapshot
    private let pinning: Pinning
    private let source: any WorkSource
    private let inbox: AsyncStream<WorkshopReport>.Continuation

    /// Looks at the machine. Checked shares go to `source`, everything else that happens to `inbox`.
    init(
        limits: HashingLimits,
        source: any WorkSource,
        inbox: AsyncStream<WorkshopReport>.Continuation
    ) throws(MinerError) {
        self.limits = limits
        self.source = source
        self.inbox = inbox
        do {
            topology = try TopologySnapshot.current()
            pinning = try Pinning()
        } catch {
            throw .failure("\(error)")
        }
    }

    /// Which threads would hash `variant`.
    func plan(for variant: HashVariant) throws(MinerError) -> ThreadPlan { try limits.plan(for: variant, on: topology) }

    /// Plans and self-tests, away from the caller's thread. The shift hasn't started.
    func prepare(_ variant: HashVariant) async throws(MinerError) -> (shift: Shift, refusals: [String]) {
        let plan = try plan(for: variant)
        let path = limits.path
        let choice: Result<KernelChoice, MinerError> = await withCheckedContinuation { chosen in
            DispatchQueue.global().async {
                chosen.resume(
                    returning: Result { () throws(MinerError) in
                        try KernelChoice(variant: variant, path: path, lanes: plan.lanes)
                    }
                )
            }
        }
        let kernels = try choice.get()
        let shift = Shift(
            crew: WorkerCrew(plan: plan, kernel: kernels.mining),
            verifier: ShareVerifier(kernel: kernels.checking) { [source, inbox] in
                Self.pass(on: $0, to: source, or: inbox)
            }
        )
        return (shift, kernels.refusals)
    }

    /// Starts the shift's workers.
    func start(_ shift: Shift) {
        let (source, inbox, verifier) = (source, inbox, shift.verifier)
        shift.crew.start(policy: limits.hugePages, pinning: pinning, found: { verifier.check($0) }) { report in
            if case .exhausted(let job) = report { source.replace(exhausted: job) }
            inbox.yield(.worker(report))
        }
    }

    private static func pass(
        on finding: ShareFinding,
        to source: any WorkSource,
        or inbox: AsyncStream<WorkshopReport>.Continuation
    ) {
        switch finding {
        case .genuine(let share): source.submit(share)
        case .genuineButMischecked(let share, let kernel):
            inbox.yield(.warning("\(kernel) computed a wrong hash while checking a share: this machine is unreliable"))
            source.submit(share)
        case .invalid(let share, let checked): inbox.yield(.invalid(share, checked: checked))
        case .unchecked(let share, let reason):
            inbox.yield(.warning("a share of job \(PeerText.printable(share.job.id)) is dropped unchecked: \(reason)"))
        }
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
                scratchpadBytes: variant.scratchpadBytes
            )
        } catch {
            throw .usage("\(error)")
        }
    }
}
