public import MiningWork

/// Why a loopback pool refuses a share.
public enum ShareRefusal: Hashable, Sendable, CaseIterable {
    /// The session id is not this connection's.
    case unauthenticated
    /// The job is none of the connection's last four.
    case unknownJob
    /// The nonce or the result is missing.
    case incomplete
    /// The nonce is not eight hex digits.
    case malformedNonce
    /// The nonce came before, for the same job.
    case duplicate
    /// The highest nonce byte is not the pool's, in NiceHash mode.
    case wrongFixedByte
    /// The share names another algorithm.
    case wrongAlgorithm
    /// The result is not the blob's hash.
    case wrongHash
    /// The hash is right and above the target.
    case lowDifficulty
    /// Too many shares wait to be verified.
    case overloaded

    /// What the miner is told: the words of dvandal's pool, or of the proxy for what that pool doesn't check.
    public var text: String {
        switch self {
        case .unauthenticated: "Unauthenticated"
        case .unknownJob: "Invalid job id"
        case .incomplete: "Attack detected"
        case .malformedNonce: "Duplicate share1"
        case .duplicate: "Duplicate share2"
        case .wrongFixedByte: "Invalid nonce; is miner not compatible with NiceHash?"
        case .wrongAlgorithm: "Incorrect algorithm"
        case .wrongHash, .lowDifficulty: "Rejected share: invalid result"
        case .overloaded: "Throttled down share submission (please increase difficulty)"
        }
    }
}

/// A share and what the pool made of it.
public struct JudgedShare: Hashable, Sendable {
    /// The number of the connection, from 1 up.
    public let connection: Int
    /// Who logged in on it; empty before the login. Printable.
    public let user: String
    /// What the job asked for; nil if the job is unknown.
    public let difficulty: Difficulty?
    /// The job's height; nil if the job is unknown.
    public let height: UInt64?
    /// Why it was refused; nil if it was accepted.
    public let refusal: ShareRefusal?
}

/// What a loopback pool has counted since it was made.
public struct PoolStatistics: Hashable, Sendable {
    /// Connections accepted.
    public var connections = 0
    /// Logins granted.
    public var logins = 0
    /// Jobs made.
    public var jobs = 0
    /// Shares accepted.
    public var accepted = 0
    /// Shares refused, by reason.
    public var rejected: [ShareRefusal: Int] = [:]
    /// The sum of the difficulties of accepted shares: about how many hashes they took.
    public var creditedHashes: UInt64 = 0

    /// All shares refused.
    public var rejectedInAll: Int { rejected.values.reduce(0, +) }

    mutating func count(_ share: JudgedShare) {
        if let refusal = share.refusal {
            rejected[refusal, default: 0] += 1
        } else {
            accepted += 1
            creditedHashes &+= share.difficulty?.hashes ?? 0
        }
    }
}
