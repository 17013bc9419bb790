internal import BlocChain
internal import CryptoNight
internal import MiningWork
internal import PoolTransport

/// What a pool may want that names no algorithm and refused the first shares.
///
/// A share's hash by another algorithm says nothing: it is a number like any other. So this machine's part is checked by
/// hashing again, and what the pool wants is inferred from all else that is known of it.
struct AlgorithmSuspicion: Sendable {
    /// An algorithm to try, and what speaks for it.
    struct Candidate: Hashable, Sendable {
        let algorithm: Algorithm
        let reason: String
    }

    /// Hashes a blob; nil where that isn't possible.
    typealias DigestFunction = (_ algorithm: Algorithm, _ blob: [UInt8], _ height: UInt64?) -> Digest?

    private static let mostCandidates = 5
    private static let mostRelated = 3

    private let shares: [Share]
    private let refusal: String
    private let pool: PoolConfiguration

    /// A suspicion about `pool`, which refused `shares` of one algorithm; `refusal` is its last word.
    init(_ shares: [Share], refusal: String, pool: PoolConfiguration) {
        self.shares = shares
        self.refusal = refusal
        self.pool = pool
    }

    /// All of it for the user. Hashes every share again.
    func sentence(_ digest: DigestFunction = PortableDigest.digest) -> String {
        guard let algorithm = shares.first?.job.algorithm else { return "" }
        let facts = "the pool refused the first \(shares.count) shares (\"\(refusal)\") and names no algorithm"
        guard shares.allSatisfy({ digest($0.job.algorithm, $0.job.blob(with: $0.nonce), $0.job.height) == $0.digest })
        else { return "\(facts). Hashed again they come out otherwise: this machine is unreliable" }
        let advice = candidates.map { "--algo \($0.algorithm.name) (\($0.reason))" }.joined(separator: ", ")
        return "\(facts). They are right as \(algorithm.name), so the coin probably has another one: try \(advice)"
    }

    /// The likeliest first.
    var candidates: [Candidate] {
        var candidates: [Candidate] = []
        for candidate in named + ofCoin + ofHost + ofVersion + related + ofOtherFamilies
        where candidate.algorithm != shares.first?.job.algorithm
            && !candidates.contains(where: { $0.algorithm == candidate.algorithm })
        {
            candidates.append(candidate)
        }
        return Array(candidates.prefix(Self.mostCandidates))
    }

    /// What the pool's own words name.
    private var named: [Candidate] {
        let words = refusal.split { !($0.isLetter || $0.isNumber || "/-_".contains($0)) }
        return words.filter { $0.count > 3 }.compactMap(AlgorithmCatalog.cryptoNight.algorithm(named:))
            .map { Candidate(algorithm: $0, reason: "the pool's words name it") }
    }

    private var ofCoin: [Candidate] {
        guard BlocAddress.find(in: pool.user) != nil else { return [] }
        return [candidate(version < 4 ? "cn-heavy/0" : "cn-heavy/xhv", "BLOC's blocks of version \(version)")]
            .compactMap(\.self)
    }

    /// Whose name, or that of its coin, is part of the pool's.
    private var ofHost: [Candidate] {
        let words = Set(pool.address.host.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        return AlgorithmCatalog.cryptoNight.algorithms.filter { !$0.coinWords.isDisjoint(with: words) }
            .map { Candidate(algorithm: $0, reason: "by the pool's name") }
    }

    /// Monero's rule, which many coins share.
    private var ofVersion: [Candidate] {
        let name: String? =
            switch version {
            case 7: "cn/1"
            case 8, 9: "cn/2"
            case 10, 11: "cn/r"
            default: nil
            }
        return [name.flatMap { candidate($0, "Monero's blocks of version \(version)") }].compactMap(\.self)
    }

    private var related: [Candidate] {
        let mined = shares.first?.job.algorithm
        return AlgorithmCatalog.cryptoNight.algorithms.filter { $0 != mined && $0.family == mined?.family }
            .prefix(Self.mostRelated).map { Candidate(algorithm: $0, reason: "of the same family") }
    }

    private var ofOtherFamilies: [Candidate] {
        ["cn/r", "cn-heavy/xhv", "cn-pico"].compactMap { candidate($0, "widespread") }
    }

    /// The block's major version, with which a blob begins.
    private var version: Int { shares.first?.job.blob.first.map(Int.init) ?? 0 }

    private func candidate(_ name: String, _ reason: String) -> Candidate? {
        AlgorithmCatalog.cryptoNight.algorithm(named: name).map { Candidate(algorithm: $0, reason: reason) }
    }
}

extension Algorithm {
    /// Words of names that tell kinds of algorithms and not coins.
    private static let commonWords: Set<String> = [
        "cryptonight", "heavy", "lite", "light", "pico", "fast", "half", "double", "ultra", "ultralite", "extremelite",
    ]

    /// "cn-heavy" of "cn-heavy/xhv".
    fileprivate var family: Substring { name.prefix { $0 != "/" } }

    /// What its names say of its coin: "haven", "xhv".
    fileprivate var coinWords: Set<String> {
        let words = ([name] + aliases).flatMap { $0.split { !($0.isLetter || $0.isNumber) } }
        return Set(words.filter { $0.count > 2 }.map(String.init)).subtracting(Self.commonWords)
    }
}

/// Hashes on the portable path, one blob at a time, on the calling thread.
enum PortableDigest {
    /// The digest of `blob`; nil if there is no such algorithm, no memory, or no height where one is needed.
    static func digest(_ algorithm: Algorithm, _ blob: [UInt8], _ height: UInt64?) -> Digest? {
        guard let variant = HashVariant(algorithm) else { return nil }
        do {
            var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
            return try workspace.hash([blob], height: height)?.first
        } catch {
            return nil
        }
    }
}
