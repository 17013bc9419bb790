extension StratumSession {
    /// How long a pool may take to answer a request, or to send its first job.
    static let answerLimit: Duration = .seconds(20)
    /// After so long without a word from us, a keepalive shows whether the pool is still there.
    private static let keepaliveInterval: Duration = .seconds(60)

    /// When `.timePassed` must come at the latest; nil while nothing is waited for.
    public var nextDeadline: Duration? {
        guard let open = connection else { return nil }
        let deadlines = [
            open.pending.first.map { $0.sentAt + Self.answerLimit },
            open.jobDeadline,
            open.exhaustionReconnectAt,
            keepaliveDue(open),
        ]
        return deadlines.compactMap(\.self).min()
    }

    mutating func timePassed() {
        guard let open = connection else { return }
        if let oldest = open.pending.first, now >= oldest.sentAt + Self.answerLimit {
            close("the pool has not answered \(oldest.method) for \(Self.answerLimit.components.seconds) s")
        } else if let deadline = open.jobDeadline, now >= deadline {
            close("the pool has not sent a usable job for \(Self.answerLimit.components.seconds) s")
        } else if let due = open.exhaustionReconnectAt, now >= due {
            reconnectForNonces()
        } else if let login = open.login, let due = keepaliveDue(open), now >= due {
            request(.keepalived, .keepalived, ["id": .string(login.id)])
        }
    }

    private func keepaliveDue(_ open: OpenConnection) -> Duration? {
        guard configuration.sendsKeepalive, open.login != nil else { return nil }
        return open.lastSentAt + Self.keepaliveInterval
    }
}
