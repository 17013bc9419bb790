import MiningWork

extension StratumSession {
    private static let toleratedBadJobs = 10
    /// A new login for the sake of new nonces at most so often.
    private static let exhaustionReconnectInterval: Duration = .seconds(30)

    mutating func jobAnnounced(_ params: JSONValue) {
        guard connection?.login != nil else {
            return remark("the pool sent a job before it answered the login; ignored")
        }
        jobArrived(params)
    }

    mutating func jobArrived(_ value: JSONValue) {
        guard let login = connection?.login else { return }
        let reader = JobReader(
            catalog: configuration.catalog,
            configuredAlgorithm: configuration.algorithm,
            keepsHighNonceByte: configuration.asksForNiceHash || login.extensions.contains("nicehash"),
            session: login.number,
            secrets: secrets
        )
        switch reader.read(value) {
        case .job(let job):
            connection?.badJobsInARow = 0
            poolNamesAlgorithm = poolNamesAlgorithm || JobReader.namesAlgorithm(value)
            begin(job)
        case .nothingNew: connection?.badJobsInARow = 0
        case .refused(let reason): refuseJob(reason)
        case .withoutAlgorithm: giveUpWithoutAlgorithm()
        }
    }

    mutating func nonceSpaceExhausted(_ job: Job) {
        guard let open = connection, let login = open.login, open.currentJob == job else { return }
        connection?.currentJob = nil
        connection?.exhaustedJob = job
        emit(.suspendWork(reason: "every nonce of the job has been tried"))
        request(.getjob, .getjob, ["id": .string(login.id)])
    }

    mutating func getjobAnswered(_ outcome: ReplyOutcome) {
        switch outcome {
        case .success(let result):
            if result != .null { jobArrived(result) }
        case .failure(let refusal):
            if leftPool(becauseOf: refusal) { return }
        }
        guard connection?.exhaustedJob != nil else { return }
        let earliest = lastExhaustionReconnect.map { $0 + Self.exhaustionReconnectInterval } ?? now
        if earliest <= now { return reconnectForNonces() }
        connection?.exhaustionReconnectAt = earliest
    }

    mutating func reconnectForNonces() {
        lastExhaustionReconnect = now
        close("every nonce has been tried and the pool has no other job", then: .retry(after: .zero))
    }

    private mutating func begin(_ job: Job) {
        guard let open = connection, open.currentJob != job else { return }
        if let exhausted = open.exhaustedJob, exhausted.algorithm == job.algorithm,
            exhausted.nonceSpaceKey == job.nonceSpaceKey
        {
            return
        }
        connection?.begin(job)
        emit(.deliver(job))
    }

    private mutating func refuseJob(_ reason: String) {
        guard var open = connection else { return }
        open.badJobsInARow += 1
        let isAllowed = open.remarks.allowsOne()
        connection = open
        if open.badJobsInARow >= Self.toleratedBadJobs {
            close("\(open.badJobsInARow) jobs in a row could not be mined; the last: \(reason)")
        } else if isAllowed {
            emit(.warn("a job of the pool is ignored: \(reason)"))
        }
    }

    private mutating func giveUpWithoutAlgorithm() {
        let reason = "the pool's jobs name no algorithm"
        let advice = "and none is configured: say which one the coin uses with --algo (BLOC: cn-heavy/xhv)"
        close(reason, then: .giveUp("\(reason), \(advice)"))
    }
}
