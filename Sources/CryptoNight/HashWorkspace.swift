internal import CHashKernels
public import MiningWork

/// The memory in which one thread hashes: scratchpads, inputs and digests of a kernel's lanes.
///
/// Belongs to one thread at a time. Nothing is allocated between two hashes of inputs of like length.
public struct HashWorkspace: ~Copyable {
    /// The form of the kernels that works here.
    public let kernel: HashKernel
    private let scratchpads: Scratchpads
    private let inputs: LaneBuffers
    private let interpretationReason: InterpretationReason?
    private var program: HeightProgram?

    /// A workspace for `kernel`, on pages as `policy` says. The pages are not touched yet.
    ///
    /// `interpretsPrograms` keeps cn/r from running its programs as machine code.
    public init(
        _ kernel: HashKernel,
        policy: HugePagePolicy = .prefer,
        interpretsPrograms: Bool = false
    ) throws(ScratchpadError) {
        self.kernel = kernel
        interpretationReason = kernel.path == .portable ? .portablePath : interpretsPrograms ? .wanted : nil
        scratchpads = try Scratchpads(
            count: kernel.lanes,
            bytesEach: kernel.variant.scratchpadBytes,
            policy: policy
        )
        inputs = LaneBuffers(scratchpads: scratchpads)
    }

    /// Makes the pages exist, on this thread's NUMA node. False when `watch` changed before the end.
    public func touch(watching watch: WorkWatch? = nil) -> Bool { scratchpads.touch(watching: watch) }

    /// The pages that the scratchpads lie on by now.
    public var backing: PageBacking { scratchpads.backing }

    /// How the latest height's program runs; nil before the first hash, and always where the variant has no programs.
    public var programForm: ProgramForm? { program?.form }

    /// The digests of `inputs`, one lane each; nil when `watch` changed before the end.
    ///
    /// Inputs may differ in length. `height` is the block height, for variants that need one.
    public mutating func hash(
        _ inputs: [[UInt8]],
        height: UInt64? = nil,
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> [Digest]? {
        guard inputs.count > 0, inputs.count <= kernel.lanes else {
            throw .inputCount(inputs.count, lanes: kernel.lanes)
        }
        for (lane, input) in inputs.enumerated() { self.inputs.fill(lane, with: input) }
        guard try run(lanes: inputs.count, height: height, watching: watch) else { return nil }
        return inputs.indices.map { self.inputs.digest($0) }
    }

    /// Hashes `job` with each of `nonces`, one lane each, and returns those that meet its target; nil when `watch`
    /// changed before the end.
    public mutating func shares(
        of job: Job,
        nonces: some Collection<Nonce>,
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> [Share]? {
        guard nonces.count > 0, nonces.count <= kernel.lanes else {
            throw .inputCount(nonces.count, lanes: kernel.lanes)
        }
        for (lane, nonce) in nonces.enumerated() { inputs.fill(lane, with: job.blob, nonce: nonce) }
        guard try run(lanes: nonces.count, height: job.height, watching: watch) else { return nil }
        return zip(nonces, 0...).compactMap { nonce, lane in
            guard inputs.mostSignificantWord(lane) < job.target.threshold else { return nil }
            return Share(job: job, nonce: nonce, digest: inputs.digest(lane))
        }
    }

    private mutating func run(lanes: Int, height: UInt64?, watching watch: WorkWatch?) throws(HashError) -> Bool {
        if kernel.variant.algorithm.needsHeight {
            guard let height else { throw .missingHeight(variant: kernel.variant.name) }
            if program?.height != height {
                program = HeightProgram(height: height, interpretedBecause: interpretationReason)
            }
        }
        var batch = inputs.batch(lanes: lanes)
        batch.program = program.map { UnsafePointer($0.instructions) }
        batch.code = program?.code
        batch.watch = watch.kernelWatch
        let status = chk_hash(kernel.variant.index, kernel.path.index, &batch)
        withExtendedLifetime(program) {}
        withExtendedLifetime(watch) {}
        switch status {
        case CHK_OK: return true
        case CHK_ABANDONED: return false
        case CHK_NO_PROGRAM: throw .missingHeight(variant: kernel.variant.name)
        case CHK_NO_SUCH_PATH: throw .unsupportedPath(kernel.path.name)
        default:
            throw .inputLength(
                bytes: inputs.shortestInput(lanes: lanes),
                minimum: kernel.variant.algorithm.minimumBlobBytes,
                variant: kernel.variant.name
            )
        }
    }
}

extension WorkWatch? {
    var kernelWatch: chk_watch {
        self.map { $0.signal.watch(expecting: $0.count) } ?? chk_watch(word: nil, expected: 0)
    }
}
