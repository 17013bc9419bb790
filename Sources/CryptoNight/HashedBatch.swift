public import MiningWork

/// A batch of hashes that is complete.
public struct HashedBatch: Sendable {
    /// Where the inputs came from, if not from the caller.
    struct Origin {
        let job: Job
        let nonces: [Nonce]
    }

    /// The digests, one a lane, in the order of the inputs or nonces.
    public let digests: [Digest]
    let origin: Origin?

    /// Those of a job's hashes that meet its target; none where bare inputs were hashed.
    public var shares: [Share] {
        guard let origin else { return [] }
        return zip(origin.nonces, digests).compactMap { nonce, digest in
            guard origin.job.target.isMet(by: digest) else { return nil }
            return Share(job: origin.job, nonce: nonce, digest: digest)
        }
    }
}
