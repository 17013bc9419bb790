public import MiningWork

/// The conversations with several pools, of which the first one that works is mined for, as a value: events go in, actions
/// come out. Pools are named by their places in the user's order, the best one being 0.
///
/// - The best pool is tried first, the next one as soon as those before it fail, or take too long.
/// - Better pools than the one mined for are tried on and on. One of them that has had work for the length of the trial is
///   mined for from then on, by the connection that it has proved itself on.
/// - Worse pools have no connection, but for some seconds after they were mined for: their shares may be on the way.
/// - A share goes to the session that its job came from, or to nobody.
///
/// It owns no socket, clock or task. Whoever drives it carries out the actions in their order, sends the events of the
/// latest connection of each pool, and `.timePassed` at `nextDeadline` at the latest.
public struct PoolRotation: Sendable {
    /// What happened.
    public enum Event: Sendable {
        /// Mining begins.
        case started
        /// The connection that was ordered last for this pool is open, its TLS handshake done.
        case connected(pool: Int)
        /// A line arrived on it, without its newline.
        case received(pool: Int, line: [UInt8])
        /// It ended, or could not be made.
        case disconnected(pool: Int, reason: String)
        /// A nonce of a delivered job meets its target.
        case found(Share)
        /// Every nonce of this job has been tried.
        case nonceSpaceExhausted(Job)
        /// Time for `nextDeadline`.
        case timePassed
        /// The user has had enough.
        case stopped
    }

    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Connect to the pool: to this port of its host, or to the configured one.
        case connect(pool: Int, port: UInt16?)
        /// Send the pool this line and a newline.
        case send(pool: Int, line: String)
        /// Close the pool's connection.
        case disconnect(pool: Int, reason: String)
        /// Tell that the pool's connection ended, or never came to be, and after which pause it is tried again.
        case reportLoss(pool: Int, reason: String, retry: Duration)
        /// Tell that the pool took the login and named these extensions.
        case reportLogin(pool: Int, extensions: [String])
        /// The pool is mined for from now on; a job of it follows.
        case choose(pool: Int)
        /// Mine this and nothing older.
        case deliver(Job)
        /// Mine nothing until the next job.
        case suspendWork(reason: String)
        /// A share's fate is known. There is one verdict for every share found.
        case judged(ShareVerdict)
        /// The pool names no algorithm and has refused these shares, the first ones, with these words: hash them again, and
        /// tell the user what it may want.
        case examine(pool: Int, [Share], refusal: String)
        /// For the log.
        case note(pool: Int, String)
        /// For the user's eyes.
        case warn(pool: Int, String)
        /// No pool is left, for the reasons that they gave. Nothing follows.
        case giveUp([String])
    }

    /// A better pool must have had work for so long before it is mined for again.
    public static let usualTrial: Duration = .seconds(60)

    private static let sessionBits: UInt64 = 32

    let trial: Duration
    var now: Duration = .zero
    var outbox: [Action] = []
    var members: [RotationMember]
    /// The pool that was chosen last.
    var chosen: Int?
    /// The worst pool that is tried.
    var reach = 0
    var isOver = false

    /// A rotation over pools in the user's order that has not begun.
    public init(_ pools: [StratumSession.Configuration], trial: Duration = usualTrial) {
        self.trial = trial
        members = pools.enumerated().map { number, pool in
            var pool = pool
            pool.loginBase = UInt64(number) << Self.sessionBits
            return RotationMember(session: StratumSession(pool))
        }
    }

    /// Takes note of `event`. `now` is the time since any fixed moment; it never runs backwards.
    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        self.now = max(self.now, now)
        react(to: event)
        if !isOver { review() }
        defer { outbox.removeAll() }
        return outbox
    }

    /// Shares sent and not yet answered.
    public var pendingShareCount: Int { members.reduce(0) { $0 + $1.session.pendingShareCount } }

    private mutating func react(to event: Event) {
        switch event {
        case .started, .timePassed: timePassed()
        case .connected(let pool): tell(pool, .connected)
        case .received(let pool, let line): tell(pool, .received(line: line))
        case .disconnected(let pool, let reason):
            guard members.indices.contains(pool), members[pool].isConnectable else { return }
            members[pool].closeReason = reason
            tell(pool, .disconnected(reason: reason))
        case .found(let share): found(share)
        case .nonceSpaceExhausted(let job):
            if let pool = pool(of: job), pool == chosen { handOn(.nonceSpaceExhausted(job), to: pool) }
        case .stopped: stopped()
        }
    }

    /// Lets a pool's session hear of its connection, unless that is an old one.
    private mutating func tell(_ pool: Int, _ event: StratumSession.Event) {
        guard members.indices.contains(pool), members[pool].isConnectable else { return }
        handOn(event, to: pool)
    }

    private mutating func found(_ share: Share) {
        guard let pool = pool(of: share.job) else {
            return emit(.judged(ShareVerdict(share: share, outcome: .stale(reason: "its pool is not known"))))
        }
        handOn(.found(share), to: pool)
    }

    private func pool(of job: Job) -> Int? {
        Int(exactly: job.session >> Self.sessionBits).flatMap { members.indices.contains($0) ? $0 : nil }
    }

    private mutating func timePassed() {
        for pool in members.indices {
            guard let deadline = members[pool].session.nextDeadline, deadline <= now else { continue }
            handOn(.timePassed, to: pool)
        }
    }

    private mutating func stopped() {
        guard !isOver else { return }
        isOver = true
        for pool in members.indices { handOn(.stopped, to: pool) }
    }

    mutating func emit(_ action: Action) { outbox.append(action) }
}
