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
        case .notification("client.reconnect", let params): reconnectAsked(params)
        case .notification(let method, _):
            let method = secrets.printable(method, limit: 40)
            guard connection?.remarks.allowsOne(about: method) ?? false else { return }
            emit(.note("the pool sent \"\(method)\", which is not of this dialect; ignored"))
        }
    }

    /// Follows to another port of the same host, never to another host: that would hand the hashrate to whoever can write a
    /// line into a plain connection.
    private mutating func reconnectAsked(_ params: JSONValue) {
        if connection?.login != nil, let port = portOfSameHost(params) {
            redirectedPort = port
            emit(.redirect(port: port))
            return close("the pool asks to connect again, to its port \(port)")
        }
        guard connection?.remarks.allowsOne(about: "client.reconnect") ?? false else { return }
        emit(.note("the pool asks to connect elsewhere (client.reconnect); ignored"))
    }

    /// The port in `["host", "port"]`, if host and port are what they should be. Some append a pause.
    private func portOfSameHost(_ params: JSONValue) -> UInt16? {
        guard let elements = params.array, (2...3).contains(elements.count),
            let host = elements[0].string, host.lowercased() == configuration.host.lowercased()
        else { return nil }
        let number = elements[1].unsigned ?? elements[1].string.flatMap { UInt64($0) }
        return number.flatMap { UInt16(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
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
