import MiningWork
import Testing

@testable import Stratum

/// Ten thousand lines that no pool would send, between events in any order.
@Suite struct RandomConversationTests {
    @Test(arguments: UInt64(1)...2)
    func staysSoundWhateverComes(seed: UInt64) throws {
        var conversation = try RandomConversation(seed: seed)
        for _ in 0..<10_000 { conversation.step() }
        conversation.end()
        #expect(conversation.logins > 100)
        #expect(conversation.verdicts > 100)
        #expect(conversation.accepted > 10)
    }
}

/// Throws random events at a session and checks what must always hold.
private struct RandomConversation {
    private var numbers: SeededNumbers
    private var session: StratumSession
    private var now: Duration = .zero
    private let samples: [[UInt8]]
    private let loginReplies: [[UInt8]]

    private var isOpen = false
    private var isGivenUp = false
    private var lastID: UInt64 = 0
    private var remarks = 0
    private var jobs: [Job] = []
    private var unjudged = 0
    private(set) var logins = 0
    private(set) var verdicts = 0
    private(set) var accepted = 0

    init(seed: UInt64) throws {
        numbers = SeededNumbers(seed: seed)
        samples = try Transcript.allNames().flatMap { name in
            try Transcript(named: name).steps.compactMap { step in
                step.event.text.hasPrefix("< ") ? Array(step.event.text.utf8.dropFirst(2)) : nil
            }
        }.filter { $0.count < 5000 }
        loginReplies = samples.filter { $0.starts(with: "{\"id\":1,".utf8) }
        session = Self.newSession(seed: seed)
    }

    private static func newSession(seed: UInt64) -> StratumSession {
        StratumSession(
            .init(
                user: "u",
                agent: "a",
                algorithm: ScriptedDriver.catalog.algorithm(named: "cn/1"),
                catalog: ScriptedDriver.catalog,
                host: "h",
                jitterSeed: seed
            )
        )
    }

    mutating func step() {
        if isGivenUp {
            session = Self.newSession(seed: numbers.next())
            (isOpen, isGivenUp) = (false, false)
        }
        now += .milliseconds(Int64.random(in: 0..<400, using: &numbers))
        if !isOpen {
            return handle(Int.random(in: 0..<4, using: &numbers) == 0 ? .disconnected(reason: "r") : .connected)
        }
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0: handle(.disconnected(reason: "\u{1B}[2Jgone"))
        case 1..<10: find()
        case 10: if let job = jobs.last { handle(.nonceSpaceExhausted(job)) }
        case 11: now += .seconds(Int64.random(in: 0..<70, using: &numbers))
        case 12..<22: handle(.received(line: goodReply()))
        default: handle(.received(line: mutated()))
        }
        if let deadline = session.nextDeadline, deadline <= now { handle(.timePassed) }
    }

    mutating func end() {
        handle(.stopped)
        #expect(unjudged == 0)
        #expect(session.nextDeadline == nil)
    }

    private mutating func find() {
        guard let job = jobs.randomElement(using: &numbers),
            let digest = Digest(bytes: [UInt8](repeating: 0, count: 32))
        else { return }
        let nonce = Nonce(UInt32.random(in: 0..<1000, using: &numbers))
        unjudged += 1
        handle(.found(Share(job: job, nonce: nonce, digest: digest)))
    }

    /// Answers one of the last requests, the login most usefully.
    private mutating func goodReply() -> [UInt8] {
        if lastID <= 1, let login = loginReplies.randomElement(using: &numbers) { return login }
        let id = lastID - min(lastID, UInt64.random(in: 0..<3, using: &numbers))
        let texts = ["Low difficulty share", "Block expired", "Invalid job id", "Unauthenticated", "Bad gateway"]
        let error = texts.randomElement(using: &numbers).map { "{\"message\":\"\($0)\"}" } ?? ""
        return Array("{\"id\":\(id),\"error\":\(Bool.random(using: &numbers) ? "null" : error)}".utf8)
    }

    private mutating func mutated() -> [UInt8] {
        var line = samples.randomElement(using: &numbers) ?? []
        for _ in 0..<Int.random(in: 0..<4, using: &numbers) where !line.isEmpty {
            let index = Int.random(in: 0..<line.count, using: &numbers)
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: line[index] = UInt8.random(in: 0...255, using: &numbers)
            case 1: line.remove(at: index)
            case 2: line.insert(contentsOf: "[{\"1e9,".utf8.shuffled(using: &numbers).prefix(2), at: index)
            case 3: line.removeSubrange(index..<min(line.count, index + 20))
            default:
                let other = samples.randomElement(using: &numbers) ?? []
                line = Array(line.prefix(index) + other.suffix(Int.random(in: 0...other.count, using: &numbers)))
            }
        }
        if Int.random(in: 0..<20, using: &numbers) == 0 {
            line = (0..<Int.random(in: 0..<200, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers)
            }
        }
        return line
    }

    private mutating func handle(_ event: StratumSession.Event) {
        if case .connected = event { (isOpen, lastID, remarks) = (true, 0, 0) }
        if case .disconnected = event { isOpen = false }
        for action in session.handle(event, at: now) { check(action) }
        checkState()
    }

    private mutating func check(_ action: StratumSession.Action) {
        switch action {
        case .send(let line): checkSent(line)
        case .disconnect: isOpen = false
        case .connect(let pause): #expect((Duration.zero ... .seconds(600)).contains(pause))
        case .deliver(let job):
            #expect(job.session == session.loginCount)
            jobs = jobs.suffix(20) + [job]
        case .judged(let verdict):
            unjudged -= 1
            if verdict.outcome == .accepted { accepted += 1 }
            verdicts += 1
        case .loggedIn: logins += 1
        case .note(let text), .warn(let text):
            remarks += 1
            #expect(text.unicodeScalars.count < 600)
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
        case .giveUp: isGivenUp = true
        case .suspendWork, .redirect: break
        case .examine(let shares, _): #expect(shares.count == 3)
        }
    }

    private mutating func checkSent(_ line: String) {
        #expect(isOpen)
        #expect(line.utf8.count <= 8192)
        #expect(!line.utf8.contains(0x0A))
        let id = (try? JSONValue(parsing: Array(line.utf8)))?["id"]?.unsigned ?? 0
        #expect(id == lastID + 1)
        lastID = id
    }

    private func checkState() {
        #expect(unjudged == session.pendingShareCount)
        #expect(remarks <= 30)
        #expect((session.connection != nil) == isOpen)
        guard let open = session.connection else { return }
        #expect(open.recentJobs.count <= OpenConnection.rememberedJobs)
        #expect(open.pending.count <= 1001)
        #expect(open.badLinesInARow < 10 && open.badJobsInARow < 10)
    }
}
