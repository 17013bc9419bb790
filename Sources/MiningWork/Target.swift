/// How hard a share is to find: the average number of hashes it takes. Never zero.
public struct Difficulty: Hashable, Sendable, Comparable {
    /// Hashes per share.
    public let hashes: UInt64

    /// A difficulty of `hashes`; nil for zero.
    public init?(_ hashes: UInt64) {
        guard hashes > 0 else { return nil }
        self.hashes = hashes
    }

    /// Orders easier before harder.
    public static func < (left: Difficulty, right: Difficulty) -> Bool { left.hashes < right.hashes }

    /// Whether `digest`, as a little-endian 256-bit number, times the difficulty stays below 2^256: what a daemon or a
    /// careful pool checks.
    public func isMet(by digest: Digest) -> Bool {
        var carry: UInt64 = 0
        for index in 0..<4 {
            let product = digest.words[index].multipliedFullWidth(by: hashes)
            let (_, overflow) = product.low.addingReportingOverflow(carry)
            carry = product.high + (overflow ? 1 : 0)
        }
        return carry == 0
    }
}

/// Why a pool's target is refused.
public enum TargetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither 8 nor 16 hex digits.
    case notHex(digits: Int)
    /// All zero: no hash is below it.
    case zero

    /// The refusal in words.
    public var description: String {
        switch self {
        case .notHex(let digits): "the target has \(digits) characters; it must be 8 or 16 hex digits"
        case .zero: "the target is zero, which no hash can meet"
        }
    }
}

/// The bound below which a hash counts as a share. Never zero.
///
/// A pool's bound is 64 bits wide: `digest.words[3] < threshold`. A daemon's is a difficulty, to be met by all 256 bits.
public struct Target: Hashable, Sendable {
    /// A digest whose bytes 24…31, as a little-endian number, lie strictly below this is a share.
    public let threshold: UInt64
    /// What decides on the digests at the threshold; nil: none of them is a share.
    private let exactly: Difficulty?

    /// A target with this 64-bit threshold; nil for zero.
    public init?(threshold: UInt64) {
        guard threshold > 0 else { return nil }
        self.threshold = threshold
        exactly = nil
    }

    /// The target of `difficulty`, as pools round it: floor((2^64 - 1) / difficulty).
    public init(_ difficulty: Difficulty) {
        threshold = UInt64.max / difficulty.hashes
        exactly = nil
    }

    /// The target that exactly those digests meet which meet `difficulty` in its full width, as a daemon checks it.
    public init(exactly difficulty: Difficulty) {
        // The largest digest that meets it, floor((2^256 - 1) / difficulty), has this number in its bytes 24…31.
        threshold = UInt64.max / difficulty.hashes
        exactly = difficulty
    }

    /// Reads a job's `target` member: 4 or 8 little-endian bytes in hex.
    ///
    /// The short form t means floor((2^64 - 1) / floor((2^32 - 1) / t)), as every miner of this family widens it.
    public init(compact text: some StringProtocol) throws(TargetError) {
        guard text.utf8.count == 8 || text.utf8.count == 16, let bytes = Hex.decode(text) else {
            throw .notHex(digits: text.utf8.count)
        }
        let value = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard value > 0 else { throw .zero }
        threshold = bytes.count == 8 ? value : UInt64.max / (UInt64(UInt32.max) / value)
        exactly = nil
    }

    /// The difficulty that the target stands for, rounded down: what a miner shows.
    public var difficulty: Difficulty { exactly ?? Difficulty(atLeastOne: UInt64.max / threshold) }

    /// Whether `digest` is a share.
    public func isMet(by digest: Digest) -> Bool {
        digest.words[3] < threshold || exactly?.isMet(by: digest) ?? false
    }
}

extension Difficulty {
    /// For quotients of the largest 64-bit number, which are never zero.
    fileprivate init(atLeastOne hashes: UInt64) { self.hashes = max(1, hashes) }
}
