/// A nonce whose hash meets its job's target.
public struct Share: Hashable, Sendable {
    /// What was mined.
    public let job: Job
    /// The nonce that was found.
    public let nonce: Nonce
    /// The hash of the blob with that nonce.
    public let digest: Digest

    /// A share of `job`.
    public init(job: Job, nonce: Nonce, digest: Digest) {
        self.job = job
        self.nonce = nonce
        self.digest = digest
    }
}
