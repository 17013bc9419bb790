import MiningWork

extension StratumSession {
    /// How long to stay away from a pool that has had enough of us.
    static let longPause: Duration = .seconds(600)
    /// The longest line sent, in bytes: the smallest buffer of any pool.
    static let maximumSentBytes = 8192
    /// A login that lasted so long was a success.
    static let provenLogin: Duration = .seconds(60)

    /// What follows a closed connection.
    enum Sequel {
        case backOff
        case retry(after: Duration)
        case giveUp(String)
        case pause
        case end
    }

    mutating func connected() {
        leave(pendingBecause: "the connection was replaced before the pool answered", suspending: "new connection")
        retryDue = nil
        connection = OpenConnection(openedAt: now)
        request(.login, .login, configuration.loginParams)
    }

    mutating func disconnected(_ reason: String) {
        if connection == nil, let retryDue, now < retryDue { return }
        let reason = secrets.printable(reason)
        forgetFailedRedirection()
        leave(pendingBecause: "connection lost before the pool answered", suspending: reason)
        schedule(.backOff)
    }

    mutating func stopped() {
        close("stopped", pendingBecause: "stopped before the pool answered", then: .end)
    }

    mutating func left(_ reason: String) {
        close(reason, pendingBecause: "left before the pool answered", then: .pause)
    }

    /// Closes the connection for `reason`.
    mutating func close(
        _ reason: String,
        pendingBecause pendingReason: String = "connection lost before the pool answered",
        then sequel: Sequel = .backOff
    ) {
        forgetFailedRedirection()
        leave(pendingBecause: pendingReason, suspending: reason)
        emit(.disconnect(reason: reason))
        schedule(sequel)
    }

    /// Sends a request and waits for its answer.
    mutating func request(_ method: StratumMethod, _ kind: PendingRequest.Kind, _ params: [String: JSONValue]) {
        guard let id = connection?.register(method, kind, at: now) else { return }
        let line = StratumRequest(id: id, method: method, params: params).line
        guard line.utf8.count <= Self.maximumSentBytes else {
            let size = "the \(method) request has \(line.utf8.count) bytes, and pools take \(Self.maximumSentBytes)"
            return close(size, then: .giveUp("\(size): shorten the user name, password or rig name"))
        }
        emit(.send(line: line))
    }

    /// A remark on something that the pool said, unless it said too much already.
    mutating func remark(_ text: String) {
        if connection?.remarks.allowsOne() ?? false { emit(.note(text)) }
    }

    private mutating func leave(pendingBecause reason: String, suspending workReason: String) {
        guard let left = connection else { return }
        if let login = left.login, now - login.since >= Self.provenLogin { backoff.reset() }
        connection = nil
        if left.currentJob != nil { emit(.suspendWork(reason: workReason)) }
        for share in left.pendingShares { judge(share, .stale(reason: reason)) }
    }

    /// A port that the pool has named is worth as much as the logins there.
    private mutating func forgetFailedRedirection() {
        guard redirectedPort != nil, connection?.login == nil else { return }
        redirectedPort = nil
        emit(.redirect(port: nil))
    }

    private mutating func schedule(_ sequel: Sequel) {
        switch sequel {
        case .backOff: connect(after: backoff.pauseAfterFailure())
        case .retry(let pause): connect(after: pause)
        case .giveUp(let reason):
            isOver = true
            emit(.giveUp(reason))
        case .pause: retryDue = nil
        case .end: isOver = true
        }
    }

    private mutating func connect(after pause: Duration) {
        retryDue = now + pause
        emit(.connect(after: pause))
    }
}
