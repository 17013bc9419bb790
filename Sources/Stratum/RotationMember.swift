import MiningWork

/// One pool of a rotation: its session, and what the rotation knows of it.
struct RotationMember: Sendable {
    /// How far a pool has come.
    enum Phase: Sendable {
        /// There is no connection, and none is to be made before `until`.
        case waiting(until: Duration, isShutOut: Bool)
        /// It is being connected to, or has no work. Nothing else is tried for its sake before `patientUntil`.
        case open(patientUntil: Duration)
        /// It has had work to give since then; this is the newest.
        case working(Job, since: Duration)
        /// It is not tried any more in this run.
        case dropped(reason: String)
    }

    var session: StratumSession
    var phase = Phase.waiting(until: .zero, isShutOut: false)
    /// Why the connection ended last.
    var closeReason = "not connected"
    /// Which port it has sent us to; nil: the configured one.
    var port: UInt16?
    /// Until when an earlier pool's connection stays open for shares that are on their way.
    var lingersUntil: Duration?

    /// The work it has to give; nil for none.
    var job: Job? {
        if case .working(let job, _) = phase { job } else { nil }
    }

    var isWorking: Bool { job != nil }

    /// Whether events of a connection concern it.
    var isConnectable: Bool {
        switch phase {
        case .open, .working: true
        case .waiting, .dropped: false
        }
    }

    var isDropped: Bool {
        if case .dropped = phase { true } else { false }
    }

    /// Whether the next pool is to be tried in its place.
    func disappoints(at now: Duration) -> Bool {
        switch phase {
        case .waiting(let until, _): now < until
        case .open(let patientUntil): now >= patientUntil
        case .dropped: true
        case .working: false
        }
    }

    /// Whether it has had work for all of `trial`.
    func isProven(at now: Duration, trial: Duration) -> Bool {
        if case .working(_, let since) = phase { now >= since + trial } else { false }
    }

    /// Whether a connection is due.
    func isDue(at now: Duration) -> Bool {
        if case .waiting(let until, _) = phase { now >= until } else { false }
    }
}
