/// Why a job can't be mined.
public enum JobError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The blob is outside `Job.blobByteRange`, or shorter than its algorithm needs.
    case blobLength(bytes: Int, allowed: ClosedRange<Int>)
    /// The algorithm needs a block height and the job has none.
    case missingHeight(algorithm: String)

    /// The refusal in words.
    public var description: String {
        switch self {
        case .blobLength(let bytes, let allowed):
            "the blob has \(bytes) bytes; \(allowed.lowerBound) to \(allowed.upperBound) are possible"
        case .missingHeight(let algorithm): "\(algorithm) needs the block height, and the job has none"
        }
    }
}

/// A piece of work: a block hashing blob whose nonce is to be varied until the hash meets the target.
public struct Job: Hashable, Sendable {
    /// Sizes of a hashing blob, in bytes: from the end of the nonce to well beyond the longest seen (Haven: 76 + 192).
    public static let blobByteRange = 43...1024

    /// The source's name for it, sent back with every share.
    public let id: String
    /// Which login of its source it came from. A share goes to that login only.
    public let session: UInt64
    /// The hashing blob; bytes 39…42 hold the nonce.
    public let blob: [UInt8]
    /// What a share must meet.
    public let target: Target
    /// How to hash the blob.
    public let algorithm: Algorithm
    /// The block height, where the source told it.
    public let height: UInt64?
    /// Which nonces may be used.
    public private(set) var nonceSpace: NonceSpace

    /// A job whose blob and height suit its algorithm. In NiceHash mode (`keepsHighNonceByte`), and whenever the blob's
    /// nonce field is not zero, byte 42 stays as it is.
    public init(
        id: String,
        session: UInt64,
        blob: [UInt8],
        target: Target,
        algorithm: Algorithm,
        height: UInt64? = nil,
        keepsHighNonceByte: Bool = false
    ) throws(JobError) {
        try self.init(
            id: id,
            session: session,
            blob: blob,
            target: target,
            algorithm: algorithm,
            height: height,
            nonceSpace: .full
        )
        let field = blob[Nonce.offset..<Nonce.offset + Nonce.byteCount]
        if keepsHighNonceByte || field.contains(where: { $0 != 0 }) {
            nonceSpace = .low24(fixed: blob[Nonce.offset + 3])
        }
    }

    /// A job of which just these nonces are to be tried, whatever the blob's nonce field holds.
    public init(
        id: String,
        session: UInt64 = 0,
        blob: [UInt8],
        target: Target,
        algorithm: Algorithm,
        height: UInt64? = nil,
        nonceSpace: NonceSpace
    ) throws(JobError) {
        let allowed = max(Self.blobByteRange.lowerBound, algorithm.minimumBlobBytes)...Self.blobByteRange.upperBound
        guard allowed.contains(blob.count) else { throw .blobLength(bytes: blob.count, allowed: allowed) }
        guard height != nil || !algorithm.needsHeight else { throw .missingHeight(algorithm: algorithm.name) }
        self.id = id
        self.session = session
        self.blob = blob
        self.target = target
        self.algorithm = algorithm
        self.height = height
        self.nonceSpace = nonceSpace
    }

    /// The blob without the bytes that vary, and the range of nonces where the job has one: jobs with equal ones search
    /// the same nonces, whatever their id and target.
    public var nonceSpaceKey: [UInt8] {
        var key = blob
        let fixedBytes = if case .low24 = nonceSpace { 1 } else { 0 }
        for index in Nonce.offset..<Nonce.offset + Nonce.byteCount - fixedBytes { key[index] = 0 }
        if case .range(let range) = nonceSpace { key += Nonce(range.lowerBound).bytes + Nonce(range.upperBound).bytes }
        return key
    }

    /// The blob with `nonce` in place.
    public func blob(with nonce: Nonce) -> [UInt8] {
        var blob = blob
        blob.replaceSubrange(Nonce.offset..<Nonce.offset + Nonce.byteCount, with: nonce.bytes)
        return blob
    }
}
