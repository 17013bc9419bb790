internal import CHashKernels
public import MiningWork

/// One hash function of the CryptoNight family: a row of the kernels' variant table.
///
/// No Swift code lists the variants: adding a row to `variants.def` adds it here.
public struct HashVariant: Sendable {
    /// Its names and what it needs of a job.
    public let algorithm: Algorithm
    /// Size of a scratchpad in bytes, as the algorithm has it.
    public let scratchpadBytes: Int
    /// Memory that one hash works in, in bytes: the part of the scratchpad that its main loop reaches. The rest is
    /// computed when it is needed.
    public let memoryBytes: Int
    /// Passes of the main loop for one hash.
    public let iterations: Int
    let index: Int

    /// Every variant, in the table's order.
    public static let all: [HashVariant] = (0..<chk_variant_count()).compactMap(HashVariant.init(index:))

    /// The variant with this canonical name or alias, in any case.
    public init?(named name: some StringProtocol) {
        guard let algorithm = AlgorithmCatalog.cryptoNight.algorithm(named: name) else { return nil }
        self.init(algorithm)
    }

    /// The variant that hashes `algorithm`.
    public init?(_ algorithm: Algorithm) {
        guard let variant = Self.all.first(where: { $0.algorithm == algorithm }) else { return nil }
        self = variant
    }

    /// The canonical name, such as "cn-heavy/xhv".
    public var name: String { algorithm.name }

    /// The variant without its main loop, to be timed: absorbing, explode, implode, the last permutation and the closing
    /// digest. No algorithm of any name.
    package var withoutMainLoop: HashVariant { HashVariant(sweepsOf: self) }

    private init(sweepsOf variant: HashVariant) {
        algorithm = variant.algorithm
        scratchpadBytes = variant.scratchpadBytes
        memoryBytes = variant.memoryBytes
        iterations = 0
        index = Int(CHK_SWEEP_ALONE) | variant.index
    }

    private init?(index: Int) {
        guard let row = chk_variant_at(index)?.pointee else { return nil }
        self.index = index
        scratchpadBytes = Int(row.scratchpad_bytes)
        memoryBytes = Int(row.memory_bytes)
        iterations = Int(row.iterations)
        algorithm = Algorithm(
            name: String(cString: row.name),
            aliases: String(cString: row.aliases).split(separator: " ").map(String.init),
            needsHeight: row.needs_height,
            minimumBlobBytes: Int(row.minimum_input_bytes)
        )
    }
}

extension HashVariant: Hashable {
    /// Variants are the same when they are the same row.
    public static func == (left: HashVariant, right: HashVariant) -> Bool { left.index == right.index }

    /// Feeds the row's number.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension AlgorithmCatalog {
    /// Every algorithm that the kernels compute.
    public static let cryptoNight = AlgorithmCatalog(HashVariant.all.map(\.algorithm))
}
