import MiningWork

extension PoolRotation {
    /// How long a pool that was mined for keeps its connection: a share may be in a kernel or at its second look.
    private static let lingering: Duration = .seconds(5)

    /// When `.timePassed` must come at the latest; nil while nothing is waited for.
    public var nextDeadline: Duration? {
        guard !isOver else { return nil }
        var deadlines = members.compactMap(\.session.nextDeadline)
        for (pool, member) in members.enumerated() {
            if let end = member.lingersUntil, end > now { deadlines.append(end) }
            switch member.phase {
            case .waiting(let until, _) where pool <= reach: deadlines.append(until)
            case .open(let patientUntil) where pool == reach && patientUntil > now: deadlines.append(patientUntil)
            case .working(_, let since) where pool < chosen ?? 0: deadlines.append(since + trial)
            case .waiting, .open, .working, .dropped: break
            }
        }
        return deadlines.min()
    }

    /// Chooses anew, connects to those that are due and leaves those that are not needed.
    mutating func review() {
        _ = choosesAnother()
        extendReach()
        for pool in members.indices.prefix(reach + 1) where members[pool].isDue(at: now) { attempt(pool) }
        for pool in members.indices.dropFirst(reach + 1) where members[pool].isConnectable { leaveIfDone(pool) }
    }

    /// Chooses the best working pool if the chosen one doesn't work, or a better one that has proved itself. Whether that
    /// changed anything.
    mutating func choosesAnother() -> Bool {
        let isChosenWorking = chosen.map { members[$0].isWorking } ?? false
        let candidate = members.indices.first { pool in
            isChosenWorking ? members[pool].isProven(at: now, trial: trial) : members[pool].isWorking
        }
        guard let candidate, candidate < chosen ?? .max || !isChosenWorking, candidate != chosen,
            let job = members[candidate].job
        else { return false }
        choose(candidate, job)
        return true
    }

    private mutating func choose(_ pool: Int, _ job: Job) {
        if let earlier = chosen, earlier > pool, members[earlier].isConnectable {
            members[earlier].lingersUntil = now + Self.lingering
        }
        members[pool].lingersUntil = nil
        chosen = pool
        emit(.choose(pool: pool))
        emit(.deliver(job))
    }

    /// While the chosen pool works, no worse one is tried. Without one, those further down are tried one after another,
    /// and none is left alone again before one of them works.
    private mutating func extendReach() {
        if let chosen, members[chosen].isWorking {
            reach = chosen
        } else {
            while reach < members.count - 1, members[reach].disappoints(at: now) { reach += 1 }
        }
    }

    private mutating func attempt(_ pool: Int) {
        members[pool].phase = .open(patientUntil: now + Self.connectingPatience)
        handOn(.attempted, to: pool)
        emit(.connect(pool: pool, port: members[pool].port))
    }

    private mutating func leaveIfDone(_ pool: Int) {
        if let end = members[pool].lingersUntil, now < end || members[pool].session.pendingShareCount > 0 { return }
        handOn(.left(reason: "another pool is mined for"), to: pool)
        members[pool].lingersUntil = nil
        members[pool].phase = .waiting(until: now, isShutOut: false)
    }
}
