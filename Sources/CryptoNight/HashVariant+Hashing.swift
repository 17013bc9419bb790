public import MiningWork

/// What is to be hashed, and the block height where the variant needs one.
public struct HashInput: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// The block height; nil for variants that need none.
    public let height: UInt64?

    /// An input of these bytes.
    public init(_ bytes: [UInt8], height: UInt64? = nil) {
        self.bytes = bytes
        self.height = height
    }
}

/// The claim that an input's hash meets a difficulty: a block that is to be verified.
public struct WorkClaim: Hashable, Sendable {
    /// What was hashed.
    public let input: HashInput
    /// What the hash must meet, with all its 256 bits.
    public let difficulty: Difficulty

    /// The claim that `input` meets `difficulty`.
    public init(_ input: HashInput, meets difficulty: Difficulty) {
        self.input = input
        self.difficulty = difficulty
    }
}

/// Why something couldn't be hashed.
public enum HashingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The input can't be.
    case input(HashError)
    /// There is no memory for it.
    case memory(ScratchpadError)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .input(let error): error.description
        case .memory(let error): error.description
        }
    }
}

// Hashing without a workspace to keep. Each call maps its scratchpads and gives them back; any thread may call, many at
// a time.
extension HashVariant {
    /// Lanes in which batches are hashed unless the caller says otherwise.
    public static let batchLanes = 4

    /// The hash of `bytes`, on the calling thread. `height` is the block height, for variants that need one.
    public func digest(of bytes: [UInt8], height: UInt64? = nil) throws(HashingError) -> Digest {
        let digests = try digests(of: [HashInput(bytes, height: height)], lanes: 1)
        guard let digest = digests.first else { throw .input(.inputCount(0, lanes: 1)) }
        return digest
    }

    /// The hashes of `inputs`, in their order, on the calling thread, `lanes` at a time. Inputs may differ in length and
    /// height; those of the same height are hashed together.
    public func digests(
        of inputs: [HashInput],
        lanes: Int = Self.batchLanes,
        on path: InstructionSet = .fastest
    ) throws(HashingError) -> [Digest] {
        guard !inputs.isEmpty else { return [] }
        let kernel = HashKernel(variant: self, path: path, lanes: min(lanes, inputs.count))
        var run: BatchRun
        do { run = BatchRun(inputs, in: try HashWorkspace(kernel)) } catch { throw .memory(error) }
        do { return try run.digests() } catch { throw .input(error) }
    }

    /// Whether the hash of `bytes` meets `difficulty`.
    public func verify(
        _ bytes: [UInt8],
        height: UInt64? = nil,
        meets difficulty: Difficulty
    ) throws(HashingError) -> Bool {
        difficulty.isMet(by: try digest(of: bytes, height: height))
    }

    /// Which of `claims` are true, in their order: `digests(of:lanes:on:)` and a comparison for each.
    public func verify(
        _ claims: [WorkClaim],
        lanes: Int = Self.batchLanes,
        on path: InstructionSet = .fastest
    ) throws(HashingError) -> [Bool] {
        let digests = try digests(of: claims.map(\.input), lanes: lanes, on: path)
        return zip(claims, digests).map { $0.difficulty.isMet(by: $1) }
    }
}

extension InstructionSet {
    /// The best path that this machine runs.
    public static let fastest = supported.last ?? .portable
}

/// Inputs that are hashed batch after batch through one workspace.
private struct BatchRun: ~Copyable {
    private let inputs: [HashInput]
    private let batches: [ArraySlice<Int>]
    private var workspace: HashWorkspace

    init(_ inputs: [HashInput], in workspace: consuming HashWorkspace) {
        self.inputs = inputs
        batches = Self.batches(of: inputs, lanes: workspace.kernel.lanes)
        self.workspace = workspace
    }

    /// Numbers of inputs that are hashed together: of one height, no more than there are lanes.
    private static func batches(of inputs: [HashInput], lanes: Int) -> [ArraySlice<Int>] {
        let groups = Dictionary(grouping: inputs.indices) { inputs[$0].height }
        return groups.values.flatMap { group in
            stride(from: 0, to: group.count, by: lanes).map { group[$0..<min($0 + lanes, group.count)] }
        }
    }

    mutating func digests() throws(HashError) -> [Digest] {
        var digests = [Digest?](repeating: nil, count: inputs.count)
        var landing: ArraySlice<Int> = []
        for batch in batches {
            let bytes = batch.map { inputs[$0].bytes }
            let height = batch.first.flatMap { inputs[$0].height }
            if landing.isEmpty {
                _ = try workspace.start(bytes, height: height)
            } else if let done = try workspace.next(bytes, height: height) {
                for (number, digest) in zip(landing, done.digests) { digests[number] = digest }
            }
            landing = batch
        }
        if let done = try workspace.finish() {
            for (number, digest) in zip(landing, done.digests) { digests[number] = digest }
        }
        return digests.compactMap(\.self)
    }
}
