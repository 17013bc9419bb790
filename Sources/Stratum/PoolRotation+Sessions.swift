import MiningWork

extension PoolRotation {
    /// How long a pool may take from the attempt to the first job before others are tried besides.
    static let connectingPatience: Duration = .seconds(5)
    /// How long a connected pool may be without work before others are tried besides.
    static let worklessPatience: Duration = .seconds(1)

    /// Lets a session hear of `event`, and does what it says as far as that concerns the rotation.
    mutating func handOn(_ event: StratumSession.Event, to pool: Int) {
        for action in members[pool].session.handle(event, at: now) { take(action, of: pool) }
    }

    private mutating func take(_ action: StratumSession.Action, of pool: Int) {
        switch action {
        case .send(let line): emit(.send(pool: pool, line: line))
        case .disconnect(let reason):
            members[pool].closeReason = reason
            if members[pool].isConnectable { emit(.disconnect(pool: pool, reason: reason)) }
        case .connect(let pause): lost(pool, pause: pause)
        case .redirect(let port): members[pool].port = port
        case .deliver(let job): offered(job, by: pool)
        case .suspendWork(let reason): workEnded(pool, reason)
        case .judged(let verdict): emit(.judged(verdict))
        case .loggedIn(let extensions): emit(.reportLogin(pool: pool, extensions: extensions))
        case .examine(let shares, let refusal): emit(.examine(pool: pool, shares, refusal: refusal))
        case .note(let text): emit(.note(pool: pool, text))
        case .warn(let text): emit(.warn(pool: pool, text))
        case .giveUp(let reason): dropped(pool, reason)
        }
    }

    private mutating func offered(_ job: Job, by pool: Int) {
        if case .working(_, let since) = members[pool].phase {
            members[pool].phase = .working(job, since: since)
        } else {
            members[pool].phase = .working(job, since: now)
        }
        if pool == chosen { emit(.deliver(job)) }
    }

    /// Another pool's work follows at once if there is any: hashing doesn't pause then.
    private mutating func workEnded(_ pool: Int, _ reason: String) {
        members[pool].phase = .open(patientUntil: now + Self.worklessPatience)
        guard pool == chosen, isOver || !choosesAnother() else { return }
        emit(.suspendWork(reason: reason))
    }

    private mutating func lost(_ pool: Int, pause: Duration) {
        let isShutOut = pause >= StratumSession.longPause
        let reason = members[pool].closeReason
        members[pool].phase = .waiting(until: now + pause, isShutOut: isShutOut)
        if members[pool].lingersUntil == nil {
            emit(.reportLoss(pool: pool, reason: reason, retry: pause))
        } else {
            members[pool].lingersUntil = nil
            emit(.note(pool: pool, "the connection has ended: \(reason)"))
        }
        if pool == chosen { hurryOthers(than: pool) }
    }

    private mutating func dropped(_ pool: Int, _ reason: String) {
        members[pool].phase = .dropped(reason: reason)
        members[pool].lingersUntil = nil
        guard members.allSatisfy(\.isDropped) else {
            emit(.warn(pool: pool, "\(reason); it is not tried again in this run"))
            if pool == chosen { hurryOthers(than: pool) }
            return
        }
        isOver = true
        emit(
            .giveUp(
                members.map { member in
                    if case .dropped(let reason) = member.phase { reason } else { "" }
                }
            )
        )
    }

    /// Pools that were to be tried later, but for those that shut us out, are tried now.
    private mutating func hurryOthers(than pool: Int) {
        for other in members.indices where other != pool {
            guard case .waiting(let until, isShutOut: false) = members[other].phase, until > now else { continue }
            members[other].phase = .waiting(until: now, isShutOut: false)
        }
    }
}
