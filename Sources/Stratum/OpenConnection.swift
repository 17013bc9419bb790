import MiningWork

/// A request that waits for its answer.
struct PendingRequest: Sendable {
    enum Kind: Sendable {
        case login, getjob, keepalived
        case submit(Share)
    }

    let id: UInt64
    let method: StratumMethod
    let kind: Kind
    let sentAt: Duration
}

/// A successful login.
struct Login: Sendable {
    /// Counts the logins of all connections; jobs carry it.
    let number: UInt64
    /// The pool's name for this session, sent back with every request.
    let id: String
    let extensions: Set<String>
    let since: Duration
}

/// What is known about the connection that is open now. All of it goes when the connection does.
struct OpenConnection: Sendable {
    /// The current job and the three before it: pools take shares for no more than four.
    static let rememberedJobs = 4

    var nextRequestID: UInt64 = 1
    /// In the order in which they were sent, so that the first one times out first.
    var pending: [PendingRequest] = []
    var login: Login?
    var lastSentAt: Duration
    var hasReceived = false

    /// What is being mined; nil while there is nothing to mine.
    var currentJob: Job?
    /// The newest first.
    var recentJobs: [Job] = []
    /// By when there must be a job.
    var jobDeadline: Duration?
    /// The job whose nonces are used up, while there is no other.
    var exhaustedJob: Job?
    /// When to look for new nonces by a new login.
    var exhaustionReconnectAt: Duration?

    var badLinesInARow = 0
    var badJobsInARow = 0
    var remarks = RemarkBudget()

    init(openedAt now: Duration) { lastSentAt = now }

    /// A new request id and its bookkeeping.
    mutating func register(_ method: StratumMethod, _ kind: PendingRequest.Kind, at now: Duration) -> UInt64 {
        let id = nextRequestID
        nextRequestID += 1
        pending.append(PendingRequest(id: id, method: method, kind: kind, sentAt: now))
        lastSentAt = now
        return id
    }

    /// The request that a reply answers, which is then no longer pending; nil if there is none.
    mutating func takePending(id: UInt64) -> PendingRequest? {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return nil }
        return pending.remove(at: index)
    }

    /// Puts `job` in front of the recent ones.
    mutating func begin(_ job: Job) {
        currentJob = job
        recentJobs.insert(job, at: 0)
        if recentJobs.count > Self.rememberedJobs { recentJobs.removeLast() }
        jobDeadline = nil
        exhaustedJob = nil
        exhaustionReconnectAt = nil
    }

    /// Shares without an answer.
    var pendingShares: [Share] {
        pending.compactMap { if case .submit(let share) = $0.kind { share } else { nil } }
    }
}

/// Bounds what one connection can make the log say.
struct RemarkBudget: Sendable {
    private static let unknownMethods = 8
    private var left = 20
    private var methods: Set<String> = []

    /// Whether one more remark may be made.
    mutating func allowsOne() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// Whether `method` is new and may be remarked on.
    mutating func allowsOne(about method: String) -> Bool {
        guard methods.count < Self.unknownMethods, methods.insert(method).inserted else { return false }
        return allowsOne()
    }
}
