internal import BlocMiner
internal import CBlocMiner

extension Job {
    /// A host's own job. `algorithm` holds where the job names none.
    init(_ job: blocminer_job_t, algorithm: HashVariant?) throws(ABIError) {
        guard job.job != 0 else { throw .invalidArgument("blocminer_job_t.job is 0") }
        let named = job.algorithm == nil ? algorithm : try AlgorithmTable.variant(named: job.algorithm)
        guard let variant = named else { throw .invalidArgument("neither the job nor the options name an algorithm") }
        guard let blob = job.blob else { throw .null("blocminer_job_t.blob") }
        guard Job.blobByteRange.contains(job.blob_bytes) else {
            let range = Job.blobByteRange
            throw .invalidArgument(
                "blocminer_job_t.blob_bytes is \(job.blob_bytes); \(range.lowerBound) to \(range.upperBound) are possible"
            )
        }
        do {
            try self.init(
                id: "\(job.job)",
                blob: Array(UnsafeRawBufferPointer(start: blob, count: job.blob_bytes)),
                target: try Target(job),
                algorithm: variant.algorithm,
                height: job.height,
                nonceSpace: try NonceSpace(job)
            )
        } catch let error as ABIError {
            throw error
        } catch {
            throw .invalidArgument("\(error)")
        }
    }
}

extension Target {
    fileprivate init(_ job: blocminer_job_t) throws(ABIError) {
        switch (Difficulty(job.difficulty), Target(threshold: job.target)) {
        case (let difficulty?, nil): self.init(exactly: difficulty)
        case (nil, let target?): self = target
        default: throw .invalidArgument("one of blocminer_job_t.difficulty and .target is needed, not both")
        }
    }
}

extension NonceSpace {
    fileprivate init(_ job: blocminer_job_t) throws(ABIError) {
        guard job.first_nonce != 0 || job.last_nonce != 0 else {
            self = .full
            return
        }
        guard job.first_nonce <= job.last_nonce else {
            throw .invalidArgument("blocminer_job_t.first_nonce lies beyond .last_nonce")
        }
        self = .range(job.first_nonce...job.last_nonce)
    }
}
