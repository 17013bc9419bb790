internal import CHashKernels
public import MiningWork

/// An input whose digest is known from an independent implementation: a row of `known_answers.def`.
public struct KnownAnswer: Sendable {
    /// The hash function.
    public let variant: HashVariant
    /// The block height, where the variant needs one.
    public let height: UInt64?
    /// What to hash.
    public let input: [UInt8]
    /// What must come out.
    public let digest: Digest

    /// Every known answer of the table.
    public static let all: [KnownAnswer] = (0..<chk_known_answer_count()).compactMap(KnownAnswer.init(index:))

    private init?(index: Int) {
        guard let row = chk_known_answer_at(index)?.pointee,
            HashVariant.all.indices.contains(row.variant),
            let input = Hex.decode(String(cString: row.input_hex)),
            let digest = Digest(hex: String(cString: row.digest_hex))
        else { return nil }
        variant = HashVariant.all[row.variant]
        height = variant.algorithm.needsHeight ? row.height : nil
        self.input = input
        self.digest = digest
    }
}

/// What a kernel computed instead of a known answer.
public struct WrongAnswer: Error, Hashable, Sendable, CustomStringConvertible {
    /// The form of the kernels that failed.
    public let kernel: HashKernel
    /// The lane that holds the wrong digest.
    public let lane: Int
    /// What it computed.
    public let computed: Digest
    /// What it should have.
    public let expected: Digest

    /// The failure in words.
    public var description: String { "\(kernel): lane \(lane) computed \(computed), not \(expected)" }
}

extension HashWorkspace {
    /// Hashes the variant's known answers in all lanes, neighbours and successive batches with different inputs, and
    /// compares: batch after batch through the same memory, then one batch by itself.
    ///
    /// Returns how many lanes were compared; nil when `watch` changed before the end.
    public mutating func selfTest(watching watch: WorkWatch? = nil) throws(SelfTestError) -> Int? {
        let answers = KnownAnswer.all.filter { $0.variant == kernel.variant }
        guard !answers.isEmpty else { throw .noKnownAnswer(variant: kernel.variant.name) }
        let batches = KnownAnswer.batches(of: answers, lanes: kernel.lanes)
        let complete: [[Digest]]?
        do { complete = try digests(of: batches, watching: watch) } catch { throw .cannotHash(error) }
        guard let computed = complete else { return nil }
        for (batch, digests) in zip(batches + batches.suffix(1), computed) {
            for (lane, pair) in zip(digests, batch).enumerated() where pair.0 != pair.1.digest {
                throw .wrong(WrongAnswer(kernel: kernel, lane: lane, computed: pair.0, expected: pair.1.digest))
            }
        }
        return computed.map(\.count).min() ?? 0
    }

    /// The digests of each batch, and once more those of the last one; nil when `watch` changed before the end.
    private mutating func digests(
        of batches: [[KnownAnswer]],
        watching watch: WorkWatch?
    ) throws(HashError) -> [[Digest]]? {
        var digests: [[Digest]] = []
        for (number, batch) in batches.enumerated() {
            let inputs = batch.map(\.input), height = batch.first?.height
            if number == 0 {
                guard try start(inputs, height: height, watching: watch) else { return nil }
            } else {
                guard let done = try next(inputs, height: height, watching: watch) else { return nil }
                digests.append(done.digests)
            }
        }
        guard let last = try finish(watching: watch) else { return nil }
        digests.append(last.digests)
        for batch in batches.suffix(1) {
            guard let again = try hash(batch.map(\.input), height: batch.first?.height, watching: watch) else {
                return nil
            }
            digests.append(again)
        }
        return digests
    }
}

extension KnownAnswer {
    /// A batch for each of `answers`, which begins with it. A height's program is shared by all lanes, so a batch holds
    /// answers of one height.
    fileprivate static func batches(of answers: [KnownAnswer], lanes: Int) -> [[KnownAnswer]] {
        answers.indices.map { first in
            let alike = answers.indices.filter { answers[$0].height == answers[first].height }
            let place = alike.firstIndex(of: first) ?? 0
            return (0..<lanes).map { answers[alike[(place + $0) % alike.count]] }
        }
    }
}

/// Why a self-test failed.
public enum SelfTestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The table holds no answer for the variant.
    case noKnownAnswer(variant: String)
    /// The kernels refused the input.
    case cannotHash(HashError)
    /// A digest was wrong.
    case wrong(WrongAnswer)

    /// The failure in words.
    public var description: String {
        switch self {
        case .noKnownAnswer(let variant): "\(variant) has no known answer"
        case .cannotHash(let error): error.description
        case .wrong(let answer): answer.description
        }
    }
}
