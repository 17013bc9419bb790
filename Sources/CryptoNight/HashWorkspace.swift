internal import CHashKernels
public import MiningWork

/// The memory in which one thread hashes: scratchpads, inputs and digests of a kernel's lanes, and the batch in flight.
///
/// Batches follow one another fastest as `start`, then `next` again and again, then `finish`: each `next` returns the
/// batch that the call before began. `hash` is `start` and `finish` in one.
///
/// Belongs to one thread at a time. A call that throws leaves what is in flight as it was.
public struct HashWorkspace: ~Copyable {
    /// The form of the kernels that works here.
    public private(set) var kernel: HashKernel
    private let interpretsPrograms: Bool
    private let scratchpads: Scratchpads
    private let lanes: LaneBuffers
    private var flight: Flight?

    /// How the latest height's program runs; nil before the first hash, and always where the variant has no programs.
    public private(set) var programForm: ProgramForm?

    /// A workspace for `kernel`, on pages as `policy` says. The pages are not touched yet.
    ///
    /// `interpretsPrograms` keeps cn/r from running its programs as machine code.
    public init(
        _ kernel: HashKernel,
        policy: HugePagePolicy = .prefer,
        interpretsPrograms: Bool = false
    ) throws(ScratchpadError) {
        self.kernel = kernel
        self.interpretsPrograms = interpretsPrograms
        scratchpads = try Scratchpads(
            count: kernel.lanes,
            bytesEach: kernel.variant.memoryBytes,
            policy: policy
        )
        lanes = LaneBuffers(scratchpads: scratchpads)
    }

    /// Makes the pages exist, on this thread's NUMA node. False when `watch` changed before the end.
    public func touch(watching watch: WorkWatch? = nil) -> Bool {
        scratchpads.touch(lanes: kernel.lanes, watching: watch)
    }

    /// The pages that the scratchpads lie on by now.
    public var backing: PageBacking { scratchpads.backing(lanes: kernel.lanes) }

    /// Hashes on `path` from the next batch on, with up to `lanes` lanes, at most those that the workspace was made for.
    /// A batch in flight on another path has to be finished before; it is lost otherwise.
    public mutating func use(path: InstructionSet, lanes: Int) {
        if path != kernel.path { flight = nil }
        kernel = HashKernel(variant: kernel.variant, path: path, lanes: min(lanes, scratchpads.count))
    }

    /// Gives back the memory of the scratchpads beyond the kernel's lanes. It comes back when they are used again.
    public func trim() { scratchpads.release(from: max(kernel.lanes, flight?.lanes ?? 0)) }

    /// The digests of `inputs`, one lane each; nil when `watch` changed before the end. What was in flight is lost.
    ///
    /// Inputs may differ in length. `height` is the block height, for variants that need one.
    public mutating func hash(
        _ inputs: [[UInt8]],
        height: UInt64? = nil,
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> [Digest]? {
        guard try start(inputs, height: height, watching: watch) else { return nil }
        return try finish(watching: watch)?.digests
    }

    /// Begins to hash `inputs`, one lane each. What was in flight is lost. False when `watch` changed before the end:
    /// nothing is in flight then.
    ///
    /// Inputs may differ in length. `height` is the block height, for variants that need one.
    public mutating func start(
        _ inputs: [[UInt8]],
        height: UInt64? = nil,
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> Bool {
        try fill(inputs)
        return try start(Flight(lanes: inputs.count, program: try program(at: height)), watching: watch)
    }

    /// Completes the batch in flight, which comes back, and begins to hash `inputs` in the same sweep through memory.
    /// Nil when `watch` changed before the end, or there was no batch: nothing is in flight then.
    public mutating func next(
        _ inputs: [[UInt8]],
        height: UInt64? = nil,
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> HashedBatch? {
        try fill(inputs)
        return try next(Flight(lanes: inputs.count, program: try program(at: height)), watching: watch)
    }

    /// Begins to hash `job` with each of `nonces`, one lane each: see `start(_:height:watching:)`.
    public mutating func start(
        _ job: Job,
        nonces: [Nonce],
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> Bool {
        try fill(job, nonces)
        return try start(Flight(job: job, nonces: nonces, program: try program(at: job.height)), watching: watch)
    }

    /// Completes the batch in flight and begins to hash `job` with each of `nonces`: see `next(_:height:watching:)`.
    public mutating func next(
        _ job: Job,
        nonces: [Nonce],
        watching watch: WorkWatch? = nil
    ) throws(HashError) -> HashedBatch? {
        try fill(job, nonces)
        return try next(Flight(job: job, nonces: nonces, program: try program(at: job.height)), watching: watch)
    }

    /// Completes the batch in flight. Nil when `watch` changed before the end, or there was no batch. Nothing is in
    /// flight afterwards.
    public mutating func finish(watching watch: WorkWatch? = nil) throws(HashError) -> HashedBatch? {
        guard let landing = flight else { return nil }
        let status = chk_finish(lanes.flight, watch.kernelWatch, lanes.digests)
        withExtendedLifetime((landing, watch)) {}
        flight = nil
        return try isComplete(status, of: landing.lanes) ? landing.batch(of: lanes) : nil
    }
}

extension HashWorkspace {
    private func fill(_ inputs: [[UInt8]]) throws(HashError) {
        try checkCount(inputs.count)
        for (lane, input) in inputs.enumerated() { lanes.fill(lane, with: input) }
    }

    private func fill(_ job: Job, _ nonces: [Nonce]) throws(HashError) {
        try checkCount(nonces.count)
        for (lane, nonce) in nonces.enumerated() { lanes.fill(lane, with: job.blob, nonce: nonce) }
    }

    private func checkCount(_ count: Int) throws(HashError) {
        guard (1...kernel.lanes).contains(count) else { throw .inputCount(count, lanes: kernel.lanes) }
    }

    /// The program of `height`, that of the batch in flight where it has the same.
    private mutating func program(at height: UInt64?) throws(HashError) -> HeightProgram? {
        guard kernel.variant.algorithm.needsHeight else { return nil }
        guard let height else { throw .missingHeight(variant: kernel.variant.name) }
        if let program = flight?.program, program.height == height { return program }
        let reason: InterpretationReason? =
            kernel.path == .portable ? .portablePath : interpretsPrograms ? .wanted : nil
        let program = HeightProgram(height: height, interpretedBecause: reason)
        programForm = program.form
        return program
    }

    private mutating func start(_ leaving: Flight, watching watch: WorkWatch?) throws(HashError) -> Bool {
        var batch = lanes.batch(of: leaving, watching: watch)
        let status = chk_start(lanes.flight, kernel.variant.index, kernel.path.index, &batch)
        withExtendedLifetime(watch) {}
        flight = try isComplete(status, of: leaving.lanes) ? leaving : nil
        return flight != nil
    }

    private mutating func next(_ leaving: Flight, watching watch: WorkWatch?) throws(HashError) -> HashedBatch? {
        guard let landing = flight else { return nil }
        var batch = lanes.batch(of: leaving, watching: watch)
        let status = chk_next(lanes.flight, &batch)
        withExtendedLifetime((landing, watch)) {}
        flight = try isComplete(status, of: leaving.lanes) ? leaving : nil
        return flight != nil ? landing.batch(of: lanes) : nil
    }

    /// Whether the call came to its end; false when it was abandoned.
    private func isComplete(_ status: chk_status, of lanes: Int) throws(HashError) -> Bool {
        switch status {
        case CHK_OK: return true
        case CHK_ABANDONED: return false
        case CHK_NO_SUCH_PATH: throw .unsupportedPath(kernel.path.name)
        default:
            throw .inputLength(
                bytes: self.lanes.shortestInput(lanes: lanes),
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

/// A batch in flight: which hashes the lanes hold, and what the kernels need of it until it is complete.
struct Flight {
    let lanes: Int
    let program: HeightProgram?
    private let origin: HashedBatch.Origin?

    init(lanes: Int, program: HeightProgram?) {
        self.lanes = lanes
        self.program = program
        origin = nil
    }

    init(job: Job, nonces: [Nonce], program: HeightProgram?) {
        lanes = nonces.count
        self.program = program
        origin = HashedBatch.Origin(job: job, nonces: nonces)
    }

    /// The batch, whose digests lie in `buffers`.
    func batch(of buffers: LaneBuffers) -> HashedBatch {
        HashedBatch(digests: (0..<lanes).map(buffers.digest), origin: origin)
    }
}
