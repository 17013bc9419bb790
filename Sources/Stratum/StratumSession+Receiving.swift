import MiningWork

extension StratumSession {
    private static let toleratedBadLines = 10

    mutating func received(_ line: [UInt8]) {
        guard connection != nil, !IncomingMessage.isBlank(line) else { return }
        let isFirst = connection?.hasReceived == false
        connection?.hasReceived = true
        if isFirst, IncomingMessage.looksLikeHTTP(line) {
            return close("an HTTP server answers on this port, not a Stratum pool")
        }
        do {
            let message = try IncomingMessage(line: line, secrets: secrets)
            connection?.badLinesInARow = 0
            received(message)
        } catch {
            receivedBadLine(error)
        }
    }

    private mutating func received(_ message: IncomingMessage) {
        switch message {
        case .reply(let id, let outcome):
            if let pending = id.flatMap({ connection?.takePending(id: $0) }) {
                answered(pending, outcome)
            } else if case .failure(let refusal) = outcome {
                remark("the pool says, unasked: \(refusal)")
            }
        case .notification("job", let params): jobAnnounced(params)
        case .notification("client.reconnect", _):
            guard connection?.remarks.allowsOne(about: "client.reconnect") ?? false else { return }
            emit(.note("the pool asks to connect elsewhere (client.reconnect); ignored"))
        case .notification(let method, _):
            let method = secrets.printable(method, limit: 40)
            guard connection?.remarks.allowsOne(about: method) ?? false else { return }
            emit(.note("the pool sent \"\(method)\", which is not of this dialect; ignored"))
        }
    }

    private mutating func answered(_ pending: PendingRequest, _ outcome: ReplyOutcome) {
        switch pending.kind {
        case .login: loginAnswered(outcome)
        case .submit(let share): submitAnswered(share, outcome, latency: now - pending.sentAt)
        case .getjob: getjobAnswered(outcome)
        case .keepalived:
            if case .failure(let refusal) = outcome { _ = leftPool(becauseOf: refusal) }
        }
    }

    /// Closes the connection if `refusal` says that it is worth nothing any more. Otherwise false.
    mutating func leftPool(becauseOf refusal: PoolRefusal) -> Bool {
        switch refusal.meaning {
        case .sessionGone: close("the pool has forgotten the session: \(refusal)")
        case .banned: stayAway(because: "the pool shuts this miner out: \(refusal)")
        default: return false
        }
        return true
    }

    /// Closes the connection and comes back much later.
    mutating func stayAway(because reason: String) {
        emit(.warn("\(reason); the next attempt is in 10 minutes"))
        close(reason, then: .retry(after: Self.longPause))
    }

    private mutating func receivedBadLine(_ refusal: LineRefusal) {
        guard var open = connection else { return }
        open.badLinesInARow += 1
        let count = open.badLinesInARow
        connection = open
        if count >= Self.toleratedBadLines {
            close("\(count) lines in a row were no Stratum messages; the last: \(refusal)")
        } else if count == 1 {
            remark("the pool sent a line that is no Stratum message: \(refusal)")
        }
    }
}
