import MiningWork

extension StratumSession {
    mutating func loginAnswered(_ outcome: ReplyOutcome) {
        switch outcome {
        case .failure(let refusal): loginRefused(refusal)
        case .success(let result):
            guard let id = JobReader.identifier(result["id"]) else {
                return close("the pool's login reply has no usable session id")
            }
            loggedIn(sessionID: id, result)
        }
    }

    private mutating func loginRefused(_ refusal: PoolRefusal) {
        let reason = "the pool refused the login: \(refusal)"
        switch refusal.meaning {
        case .banned: stayAway(because: reason)
        case .fatalLogin where hasAcceptedShare: stayAway(because: reason)
        case .fatalLogin: close(reason, then: .giveUp(refusal.description))
        default: close(reason)
        }
    }

    private mutating func loggedIn(sessionID: String, _ result: JSONValue) {
        loginCount += 1
        let extensions = (result["extensions"]?.array ?? []).compactMap { JobReader.identifier($0) }.prefix(32)
        connection?.login = Login(number: loginCount, id: sessionID, extensions: Set(extensions), since: now)
        connection?.jobDeadline = now + Self.answerLimit
        emit(.loggedIn(extensions: extensions.map { secrets.printable($0) }))
        if let job = result["job"], job != .null { jobArrived(job) }
    }
}
