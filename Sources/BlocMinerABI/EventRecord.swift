internal import BlocMiner
internal import CBlocMiner

/// An event as the host hears of it.
struct EventRecord: Sendable {
    var type: Int
    var status = BLOCMINER_OK
    var text: String
    var outcome = 0
    var job: Job?
    var nonce: Nonce?
    var digest: Digest?
    var form: (threads: Int, lanes: Int)?
    var hashesPerSecond = 0.0

    init(_ type: Int, _ text: String) {
        self.type = type
        self.text = text
    }

    /// A share of a host's own job.
    init(found share: Share) {
        self.init(share, BLOCMINER_SHARE_FOUND, "share found")
    }

    /// Mining ended.
    init(ended error: ABIError?) {
        self.init(BLOCMINER_EVENT_ENDED, error.map { "mining has ended: \($0.text)" } ?? "mining has been stopped")
        status = error.map { Int($0.status) } ?? BLOCMINER_OK
    }

    private init(_ share: Share, _ outcome: Int, _ text: String) {
        self.init(BLOCMINER_EVENT_SHARE, text)
        self.outcome = outcome
        job = share.job
        nonce = share.nonce
        digest = share.digest
    }

    var isFoundShare: Bool { outcome == BLOCMINER_SHARE_FOUND }

    /// Calls `body` with the event, which is valid so long.
    func withEvent(_ body: (UnsafePointer<blocminer_event_t>) -> Void) {
        var event = blocminer_event_t()
        event.size = MemoryLayout<blocminer_event_t>.size
        event.type = blocminer_event_type_t(type)
        event.status = blocminer_status_t(status)
        event.outcome = blocminer_share_outcome_t(outcome)
        if let job {
            event.job = UInt64(job.id) ?? 0
            event.height = job.height ?? 0
            event.difficulty = job.target.difficulty.hashes
        }
        event.nonce = nonce?.value ?? 0
        event.threads = UInt32(clamping: form?.threads ?? 0)
        event.lanes = UInt32(clamping: form?.lanes ?? 0)
        event.hashes_per_second = hashesPerSecond
        withUnsafeMutableBytes(of: &event.hash) { hash in
            if let digest { hash.copyBytes(from: digest.bytes) }
        }
        text.withCString { text in
            event.text = text
            body(&event)
        }
    }
}

extension EventRecord {
    /// What C hears of a miner's event; nil: nothing.
    init?(_ event: MinerEvent, isHostsJob: Bool) {
        self.init(BLOCMINER_EVENT_NOTE, event.logLine.text)
        switch event {
        case .connected: type = BLOCMINER_EVENT_CONNECTED
        case .disconnected: type = BLOCMINER_EVENT_DISCONNECTED
        case .started(let plan, let kernel):
            type = BLOCMINER_EVENT_STARTED
            form = (plan.threads.count, kernel.lanes)
        case .tuned(let best, let rate):
            type = BLOCMINER_EVENT_TUNED
            form = (best.threads, best.lanes)
            hashesPerSecond = rate
        case .job(let job):
            type = BLOCMINER_EVENT_JOB
            self.job = job
        case .hashrate(let rates):
            type = BLOCMINER_EVENT_HASHRATE
            hashesPerSecond = rates.tenSeconds?.hashesPerSecond ?? 0
        case .share(let share):
            guard let outcome = share.outcome.code(isHostsJob: isHostsJob) else { return nil }
            self.init(share.share, outcome, text)
        case .paused: type = BLOCMINER_EVENT_PAUSED
        case .resumed: type = BLOCMINER_EVENT_RESUMED
        case .warning: type = BLOCMINER_EVENT_WARNING
        default: break
        }
        if !isHostsJob { job = job.map { $0 } }
    }
}

extension ShareEvent.Outcome {
    /// Nil: the host has heard of it already.
    fileprivate func code(isHostsJob: Bool) -> Int? {
        switch self {
        case .accepted: isHostsJob ? nil : BLOCMINER_SHARE_ACCEPTED
        case .rejected: BLOCMINER_SHARE_REJECTED
        case .stale: BLOCMINER_SHARE_STALE
        case .invalid: BLOCMINER_SHARE_INVALID
        }
    }
}
