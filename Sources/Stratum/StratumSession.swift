public import MiningWork

/// The conversation with one pool over all its connections, as a value: events go in, actions come out.
///
/// It owns no socket, clock or task. Whoever drives it
/// - opens the first connection by itself, and later ones when told by `.connect(after:)`, or earlier;
/// - sends `.attempted` when it begins, `.connected` or `.disconnected` for each attempt, and `.disconnected` when an open
///   connection ends; for one that it closes because it was told to, it need not;
/// - carries out the actions in their order;
/// - sends `.timePassed` at `nextDeadline` at the latest; more often does no harm.
public struct StratumSession: Sendable {
    /// What happened.
    public enum Event: Sendable {
        /// A connection is being made. Needed only for one that begins before its time.
        case attempted
        /// A connection is open, its TLS handshake done.
        case connected
        /// A line arrived, without its newline.
        case received(line: [UInt8])
        /// The connection ended, or could not be made.
        case disconnected(reason: String)
        /// A nonce of a delivered job meets its target.
        case found(Share)
        /// Every nonce of this job has been tried.
        case nonceSpaceExhausted(Job)
        /// Time for `nextDeadline`.
        case timePassed
        /// Nothing is wanted of this pool for now, for the reason given. The next connection begins when the driver likes.
        case left(reason: String)
        /// The user has had enough.
        case stopped
    }

    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Send this line and a newline.
        case send(line: String)
        /// Close the connection.
        case disconnect(reason: String)
        /// Close what is open, wait, then connect.
        case connect(after: Duration)
        /// Connect to this port of the same host from now on; nil: to the configured one.
        case redirect(port: UInt16?)
        /// Mine this and nothing older.
        case deliver(Job)
        /// Mine nothing until the next job.
        case suspendWork(reason: String)
        /// A share's fate is known. There is one verdict for every share found.
        case judged(ShareVerdict)
        /// The pool took the login and named these extensions.
        case loggedIn(extensions: [String])
        /// The pool names no algorithm and has refused these shares, the first ones, with these words: hash them again, and
        /// tell the user what it may want.
        case examine([Share], refusal: String)
        /// For the log.
        case note(String)
        /// For the user's eyes.
        case warn(String)
        /// This pool can't be mined on as configured, for the reason given. Nothing follows.
        case giveUp(String)
    }

    let configuration: Configuration
    let secrets: LoginSecrets
    var now: Duration = .zero
    var outbox: [Action] = []

    var connection: OpenConnection?
    /// When the driver begins the attempt it was told to make.
    var retryDue: Duration?
    var isOver = false
    var backoff: Backoff
    var loginCount: UInt64

    /// The port that the pool has sent us to; nil: the configured one.
    var redirectedPort: UInt16?

    var hasAcceptedShare = false
    /// Whether a job of this pool has ever named its algorithm.
    var poolNamesAlgorithm = false
    var rejectionsInARow = 0
    /// The first shares, as long as they were all refused; as many as are worth examining.
    var firstRefused: [Share] = []
    var unknownJobsInARow = 0
    var submitted = SubmittedNonces()
    var lastExhaustionReconnect: Duration?

    /// A session that has not connected yet.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        secrets = LoginSecrets(user: configuration.user, password: configuration.password)
        backoff = Backoff(seed: configuration.jitterSeed)
        loginCount = configuration.loginBase
    }

    /// Takes note of `event`. `now` is the time since any fixed moment; it never runs backwards.
    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        self.now = max(self.now, now)
        if isOver {
            refuse(event)
        } else {
            react(to: event)
        }
        defer { outbox.removeAll() }
        return outbox
    }

    /// Shares sent and not yet answered.
    public var pendingShareCount: Int { connection?.pendingShares.count ?? 0 }

    private mutating func react(to event: Event) {
        switch event {
        case .attempted: retryDue = nil
        case .connected: connected()
        case .received(let line): received(line)
        case .disconnected(let reason): disconnected(reason)
        case .found(let share): found(share)
        case .nonceSpaceExhausted(let job): nonceSpaceExhausted(job)
        case .timePassed: timePassed()
        case .left(let reason): left(reason)
        case .stopped: stopped()
        }
    }

    private mutating func refuse(_ event: Event) {
        switch event {
        case .connected: emit(.disconnect(reason: "the session has ended"))
        case .found(let share): judge(share, .stale(reason: "the session has ended"))
        case .attempted, .received, .disconnected, .nonceSpaceExhausted, .timePassed, .left, .stopped: break
        }
    }

    mutating func emit(_ action: Action) { outbox.append(action) }
}
