import MiningWork

extension StratumSession {
    private static let rejectionsBeforeWarning = 5
    private static let rejectionsBeforePause = 10
    /// The first shares, all refused, after which the algorithm is in doubt.
    private static let rejectionsBeforeDoubt = 3
    /// Pools look at 30 shares, and ban if too many of them are bad: a pool that has not taken any gets fewer.
    private static let sharesBeforeBan = 29
    private static let unknownJobsBeforeReconnect = 2
    private static let mostPendingRequests = 1000

    mutating func found(_ share: Share) {
        guard let open = connection, let login = open.login else {
            return judge(share, .stale(reason: "not logged in"))
        }
        if let reason = reasonToDrop(share, open, login) { return judge(share, .stale(reason: reason)) }
        var params: [String: JSONValue] = [
            "id": .string(login.id),
            "job_id": .string(share.job.id),
            "nonce": .string(share.nonce.hex),
            "result": .string(share.digest.hex),
        ]
        if login.extensions.contains("algo") { params["algo"] = .string(share.job.algorithm.name) }
        request(.submit, .submit(share), params)
    }

    mutating func submitAnswered(_ share: Share, _ outcome: ReplyOutcome, latency: Duration) {
        guard case .failure(let refusal) = outcome else {
            hasAcceptedShare = true
            firstRefused = []
            backoff.reset()
            rejectionsInARow = 0
            unknownJobsInARow = 0
            return judge(share, .accepted, latency)
        }
        let text = refusal.description
        switch refusal.meaning {
        case .blockOver: judge(share, .stale(reason: text), latency)
        case .jobUnknown:
            judge(share, .stale(reason: text), latency)
            jobWasUnknown(text)
        case .poolWithoutWork:
            judge(share, .stale(reason: text), latency)
            suspendUntilNextJob(text)
        case .sessionGone:
            judge(share, .stale(reason: text), latency)
            _ = leftPool(becauseOf: refusal)
        case .banned:
            judge(share, .rejected(reason: text), latency)
            _ = leftPool(becauseOf: refusal)
        case .fatalLogin, .other:
            judge(share, .rejected(reason: text), latency)
            wasRejected(share, text)
        }
    }

    mutating func judge(_ share: Share, _ outcome: ShareVerdict.Outcome, _ latency: Duration? = nil) {
        emit(.judged(ShareVerdict(share: share, outcome: outcome, latency: latency)))
    }

    /// Why the pool would not want this share; nil if it would. A share that passes counts as submitted.
    private mutating func reasonToDrop(_ share: Share, _ open: OpenConnection, _ login: Login) -> String? {
        guard share.job.session == login.number else { return "it belongs to an earlier session" }
        guard let job = open.recentJobs.first(where: { $0.id == share.job.id }) else { return "its job is too old" }
        guard job.blob == share.job.blob, job.algorithm == share.job.algorithm else {
            return "the pool has given its job's id to another block"
        }
        guard job.target == share.job.target || job.target.isMet(by: share.digest) else {
            return "the pool has raised its job's difficulty"
        }
        guard hasAcceptedShare || rejectionsInARow + open.pendingShares.count < Self.sharesBeforeBan else {
            return "the pool has yet to accept one of \(Self.sharesBeforeBan) shares"
        }
        guard open.pending.count < Self.mostPendingRequests else { return "too many shares wait for an answer" }
        guard submitted.insert(share) else { return "its nonce has been submitted before" }
        return nil
    }

    private mutating func jobWasUnknown(_ text: String) {
        unknownJobsInARow += 1
        guard unknownJobsInARow >= Self.unknownJobsBeforeReconnect else { return }
        unknownJobsInARow = 0
        close("the pool does not know the jobs it gave: \(text)")
    }

    private mutating func suspendUntilNextJob(_ text: String) {
        guard connection?.currentJob != nil else { return }
        connection?.currentJob = nil
        connection?.jobDeadline = now + Self.answerLimit
        emit(.suspendWork(reason: "the pool has no work: \(text)"))
    }

    /// The count goes on until a share is accepted: after the first pause each further refusal makes another one.
    private mutating func wasRejected(_ share: Share, _ text: String) {
        rejectionsInARow += 1
        doubtAlgorithm(of: share, text)
        let count = rejectionsInARow
        let reason = "\(count) shares in a row were refused, the last with \"\(text)\""
        if count == Self.rejectionsBeforeWarning {
            emit(.warn("\(reason). \(likelyCauses(share))"))
        } else if count >= Self.sharesBeforeBan, !hasAcceptedShare {
            close(reason, then: .giveUp("\(reason), and none was accepted; more of them would bring a ban"))
        } else if count >= Self.rejectionsBeforePause {
            stayAway(because: reason)
        }
    }

    private mutating func doubtAlgorithm(of share: Share, _ text: String) {
        guard !hasAcceptedShare, !poolNamesAlgorithm, firstRefused.count < Self.rejectionsBeforeDoubt else { return }
        firstRefused.append(share)
        if firstRefused.count == Self.rejectionsBeforeDoubt { emit(.examine(firstRefused, refusal: text)) }
    }

    private func likelyCauses(_ share: Share) -> String {
        """
        Likely causes: another algorithm than \
        the coin's (now \(share.job.algorithm.name); --algo chooses it), a fault of this machine's processor or memory \
        (overclocking?), or a fault in this miner's hash code
        """
    }
}
