import MiningWork
import Testing

@testable import Stratum

@Suite struct StratumSessionTests {
    private static func configuration(user: String = "u", agent: String = "a") -> StratumSession.Configuration {
        .init(
            user: user,
            agent: agent,
            algorithm: ScriptedDriver.catalog.algorithm(named: "cn-heavy/xhv"),
            catalog: ScriptedDriver.catalog,
            host: "pool.invalid"
        )
    }

    /// A session that has logged in, and its first job.
    private static func loggedIn() throws -> (session: StratumSession, job: Job) {
        var session = StratumSession(configuration())
        let job = try logIn(&session, at: .zero)
        return (session, job)
    }

    private static let jobMembers =
        #"{"blob":"\#(String(repeating: "07", count: 39))00000000\#(String(repeating: "22", count: 33))","#
        + #""job_id":"1","target":"ffffffff"}"#

    private static func logIn(_ session: inout StratumSession, at now: Duration) throws -> Job {
        _ = session.handle(.connected, at: now)
        let reply = #"{"id":1,"result":{"id":"s","job":\#(jobMembers)}}"#
        guard case .deliver(let job)? = session.handle(.received(line: Array(reply.utf8)), at: now).last else {
            throw Missing()
        }
        return job
    }

    private struct Missing: Error {}

    private static func share(of job: Job, nonce: UInt32) throws -> Share {
        Share(job: job, nonce: Nonce(nonce), digest: try #require(Digest(bytes: [UInt8](repeating: 1, count: 32))))
    }

    @Test func givesUpWhenTheLoginIsTooLong() {
        var session = StratumSession(Self.configuration(user: String(repeating: "u", count: 8192)))
        let actions = session.handle(.connected, at: .zero)
        #expect(actions.count == 2)
        guard case .giveUp(let reason)? = actions.last else {
            Issue.record("expected to give up, got \(actions)")
            return
        }
        #expect(reason.contains("shorten the user name"))
        #expect(session.nextDeadline == nil)
    }

    @Test func sendsTheAgentAsHundredPlainCharacters() throws {
        let agent = "\u{1B}[31mBlocMiner/1.0 é\n" + String(repeating: "x", count: 300)
        var session = StratumSession(Self.configuration(agent: agent))
        guard case .send(let line)? = session.handle(.connected, at: .zero).first else { throw Missing() }
        let sent = try #require(try JSONValue(parsing: Array(line.utf8))["params"]?["agent"]?.string)
        #expect(sent.count == 100)
        #expect(sent.hasPrefix("[31mBlocMiner/1.0 xxx"))
    }

    @Test func hasNoDeadlineWithoutAConnection() {
        #expect(StratumSession(Self.configuration()).nextDeadline == nil)
    }

    @Test func countsPendingShares() throws {
        var (session, job) = try Self.loggedIn()
        for nonce: UInt32 in 1...3 { _ = session.handle(.found(try Self.share(of: job, nonce: nonce)), at: .zero) }
        #expect(session.pendingShareCount == 3)
        _ = session.handle(.received(line: Array("{\"id\":3,\"result\":{}}".utf8)), at: .zero)
        #expect(session.pendingShareCount == 2)
        _ = session.handle(.disconnected(reason: "x"), at: .zero)
        #expect(session.pendingShareCount == 0)
    }

    @Test func keepsAtMostThousandSharesInFlight() throws {
        var (session, job) = try Self.loggedIn()
        _ = Self.answer(try Self.share(of: job, nonce: 5000), request: 2, &session)
        for nonce: UInt32 in 1...1000 { _ = session.handle(.found(try Self.share(of: job, nonce: nonce)), at: .zero) }
        let late = try Self.share(of: job, nonce: 1001)
        let reason = "too many shares wait for an answer"
        #expect(
            session.handle(.found(late), at: .zero)
                == [.judged(ShareVerdict(share: late, outcome: .stale(reason: reason)))]
        )
        #expect(session.pendingShareCount == 1000)
    }

    private static func answer(
        _ share: Share,
        request: Int,
        error: String = "null",
        _ session: inout StratumSession,
        at now: Duration = .zero
    ) -> [StratumSession.Action] {
        _ = session.handle(.found(share), at: now)
        return session.handle(.received(line: Array(#"{"id":\#(request),"error":\#(error)}"#.utf8)), at: now)
    }

    /// Pools look at 30 shares before they ban.
    @Test func sendsFewerSharesThanBringABanUntilOneIsAccepted() throws {
        var (session, job) = try Self.loggedIn()
        var actions: [StratumSession.Action] = []
        for nonce: UInt32 in 1...40 {
            actions += session.handle(.found(try Self.share(of: job, nonce: nonce)), at: .zero)
        }
        #expect(session.pendingShareCount == 29)
        #expect(actions.filter { if case .judged = $0 { true } else { false } }.count == 11)
        _ = session.handle(.received(line: Array(#"{"id":2,"error":"Low difficulty share"}"#.utf8)), at: .zero)
        _ = session.handle(.found(try Self.share(of: job, nonce: 50)), at: .zero)
        #expect(session.pendingShareCount == 28)
        _ = session.handle(.received(line: Array(#"{"id":3,"result":{}}"#.utf8)), at: .zero)
        for nonce: UInt32 in 60...70 { _ = session.handle(.found(try Self.share(of: job, nonce: nonce)), at: .zero) }
        #expect(session.pendingShareCount == 27 + 11)
    }

    @Test func pausesAfterEachRefusalPastTheTenthAndEndsBeforeABan() throws {
        var (session, first) = try Self.loggedIn()
        var (job, now, request, refused, pauses) = (first, Duration.zero, 2, 0, 0)
        while refused < 29 {
            refused += 1
            let share = try Self.share(of: job, nonce: UInt32(refused))
            let actions = Self.answer(share, request: request, error: #""Low difficulty share""#, &session, at: now)
            request += 1
            guard refused >= 10 else { continue }
            if case .giveUp(let reason)? = actions.last {
                #expect(refused == 29 && reason.contains("none was accepted"))
                break
            }
            #expect(actions.last == .connect(after: .seconds(600)))
            pauses += 1
            now += .seconds(600)
            (job, request) = (try Self.logIn(&session, at: now), 2)
        }
        #expect(refused == 29 && pauses == 19)
    }

    @Test func dropsAShareThatItsJobsNewTargetRefuses() throws {
        var (session, job) = try Self.loggedIn()
        let harder = Self.jobMembers.replacing("ffffffff", with: "01000000")
        _ = session.handle(.received(line: Array(#"{"method":"job","params":\#(harder)}"#.utf8)), at: .zero)
        let share = try Self.share(of: job, nonce: 1)
        #expect(
            session.handle(.found(share), at: .zero) == [
                .judged(ShareVerdict(share: share, outcome: .stale(reason: "the pool has raised its job's difficulty")))
            ]
        )
    }

    @Test func survivesAClockThatRunsBackwards() throws {
        var (session, job) = try Self.loggedIn()
        let share = try Self.share(of: job, nonce: 1)
        _ = session.handle(.found(share), at: .seconds(5))
        let actions = session.handle(.received(line: Array("{\"id\":2,\"result\":{}}".utf8)), at: .seconds(1))
        #expect(actions == [.judged(ShareVerdict(share: share, outcome: .accepted, latency: .zero))])
    }

    @Test func aLateReportOfOurOwnClosingIsNoSecondFailure() throws {
        var (session, _) = try Self.loggedIn()
        let lines = (0..<10).flatMap { _ in session.handle(.received(line: [0x78]), at: .zero) }
        guard case .connect(let pause)? = lines.last else { throw Missing() }
        #expect(session.handle(.disconnected(reason: "closed"), at: .milliseconds(1)).isEmpty)
        #expect(session.handle(.disconnected(reason: "refused"), at: pause).count == 1)
    }
}
