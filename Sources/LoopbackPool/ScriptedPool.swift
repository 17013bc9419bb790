import Dispatch
public import PoolTransport

/// What a scripted pool does next on a connection.
public enum ScriptStep: Sendable {
    /// Takes the next line; it must contain this text.
    case expect(String)
    /// Takes the next line; it must satisfy the claim.
    case expectLine(@Sendable (String) -> Bool)
    /// Takes this many lines, whatever they say.
    case waitForLines(Int)
    /// Sends a line.
    case send(String)
    /// Sends the line that the closure makes of the line taken last.
    case answer(@Sendable (String) -> String)
    /// Sends bytes as they are.
    case sendBytes([UInt8])
    /// Closes once everything is sent.
    case close
    /// Closes with a reset.
    case reset
    /// Stays silent from here on.
    case hold
}

/// What happened at a scripted pool. Connections are numbered from 0.
public enum ScriptEvent: Hashable, Sendable {
    /// A miner connected.
    case accepted(connection: Int)
    /// A miner sent a line, whether the script has come to it or not.
    case received(connection: Int, line: String)
    /// A line was not what step `step` expects. The connection is closed.
    case mismatched(connection: Int, step: Int, line: String)
    /// All steps are done.
    case finished(connection: Int)
    /// The connection ended.
    case closed(connection: Int, reason: String)
}

/// A pool on loopback that behaves on each connection as a list of steps says, to misbehave on purpose in tests.
///
/// The owner keeps it: a released pool closes everything.
public final class ScriptedPool: Sendable {
    /// Where it listens.
    public let port: UInt16
    private let listener: Listener
    private let scripts: [[ScriptStep]]
    private let onEvent: (@Sendable (ScriptEvent) -> Void)?
    private let queue: DispatchQueue
    private let state = Locked(State())

    private struct State: Sendable {
        var runs: [ScriptRun] = []
        var connections: [Int: Connection] = [:]
        var received: [[String]] = []
    }

    /// Listens at once. The first connection runs the first script and so on; the last script serves all later ones.
    /// `onEvent` hears what happens, one thing at a time.
    public init(
        _ scripts: [[ScriptStep]],
        family: LoopbackFamily = .ipv4,
        onEvent: (@Sendable (ScriptEvent) -> Void)? = nil
    ) throws(ListenerError) {
        queue = DispatchQueue(label: "scripted pool")
        listener = try Listener(family: family, queue: queue)
        port = listener.port
        self.scripts = scripts
        self.onEvent = onEvent
        listener.start { [weak self] in self?.accepted($0) }
    }

    /// Closes the port and all connections. Idempotent.
    public func stop() {
        listener.stop()
        let connections = state.withLock { state in
            defer { state.connections = [:] }
            return state.connections
        }
        for connection in connections.values { connection.close() }
    }

    /// The lines that each connection has sent so far.
    public var received: [[String]] { state.withLock { $0.received } }

    private func accepted(_ connection: Connection) {
        let number = state.withLock { state in
            let number = state.runs.count
            state.runs.append(ScriptRun(number < scripts.count ? scripts[number] : scripts.last ?? []))
            state.received.append([])
            state.connections[number] = connection
            return number
        }
        connection.start { [weak self, weak connection] event in
            guard let connection else { return }
            self?.heard(event, on: connection, number)
        }
    }

    private func heard(_ event: ConnectionEvent, on connection: Connection, _ number: Int) {
        switch event {
        case .connected:
            onEvent?(.accepted(connection: number))
            advance(connection, number, with: nil)
        case .line(let bytes):
            let line = String(decoding: bytes, as: UTF8.self)
            state.withLock { $0.received[number].append(line) }
            onEvent?(.received(connection: number, line: line))
            advance(connection, number, with: line)
        case .closed(let reason):
            let released = state.withLock { $0.connections.removeValue(forKey: number) }
            withExtendedLifetime(released) {}
            onEvent?(.closed(connection: number, reason: reason))
        }
    }

    private func advance(_ connection: Connection, _ number: Int, with line: String?) {
        let outcomes = state.withLock { $0.runs[number].advance(with: line) }
        for outcome in outcomes {
            switch outcome {
            case .send(let bytes): connection.send(bytes: bytes)
            case .close: connection.closeAfterFlush()
            case .reset: connection.reset()
            case .finished: onEvent?(.finished(connection: number))
            case .mismatched(let step, let line):
                onEvent?(.mismatched(connection: number, step: step, line: line))
                connection.closeAfterFlush()
            }
        }
    }
}
