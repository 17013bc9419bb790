import MiningWork
import PoolTransport
import Stratum
import Testing

@testable import LoopbackPool

/// A session on a manual clock, its submissions verified at once.
private struct Desk {
    var session: MinerSession
    var now = Duration.zero
    var lines: [JSONValue] = []
    var shares: [JudgedShare] = []
    var hangsUp = false

    init(
        difficulty: UInt64 = 1,
        number: Int = 1,
        _ change: (inout LoopbackPoolConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = LoopbackPoolConfiguration(
            startDifficulty: try #require(Difficulty(difficulty)),
            algorithm: blocAlgorithm
        )
        configuration.shareInterval = nil
        change(&configuration)
        let tip = ChainTip(height: 9, previousID: ChainTip.genesisID, timestamp: 1_796_068_439)
        session = MinerSession(number: number, configuration: configuration, tip: tip, seed: 5)
    }

    mutating func receive(_ line: String) throws -> JSONValue? {
        let before = lines.count
        try perform(session.received(line: Array(line.utf8), at: now))
        return lines.count > before ? lines[before] : nil
    }

    mutating func logIn() throws -> WireJob { try WireJob(receive(TestRequest.login)?["result"]?["job"]) }

    /// The words of the refusal; nil if the share was accepted.
    mutating func refusal(_ line: String) throws -> String? {
        let reply = try #require(try receive(line))
        if reply["result"]?["status"]?.string == "OK" { return nil }
        return try #require(reply["error"]?["message"]?.string)
    }

    mutating func perform(_ actions: [SessionAction]) throws {
        for action in actions {
            switch action {
            case .send(let line): lines.append(try JSONValue(parsing: Array(line.utf8)))
            case .verify(let submission):
                try perform(session.verified(submission, digest: quickHash(submission.blob), at: now))
            case .report(let share): shares.append(share)
            case .hangUp: hangsUp = true
            case .countJob, .countLogin: break
            }
        }
    }
}

@Suite struct MinerSessionTests {
    @Test func answersALoginWithAJobOfItsOwn() throws {
        var desk = try Desk(difficulty: 5000) { $0.extensions = ["keepalive"] }
        let reply = try #require(try desk.receive(TestRequest.login))
        #expect(reply["id"] == .integer(1))
        #expect(reply["jsonrpc"] == .string("2.0"))
        #expect(reply["error"] == .null)
        let result = try #require(reply["result"])
        #expect(result["status"] == .string("OK"))
        #expect(result["extensions"] == .array([.string("keepalive")]))
        let job = try WireJob(result["job"])
        #expect(result["id"]?.string == job.session)
        #expect(job.session.count == 15)
        #expect(job.blob.count == 76)
        #expect(job.target == "711b0d00")
        #expect(job.algorithm == "cn-heavy/xhv")
        #expect(job.height == 9)
    }

    @Test func leavesOutWhatOldPoolsDo() throws {
        var desk = try Desk {
            $0.namesAlgorithm = false
            $0.namesHeight = false
        }
        let result = try desk.receive(TestRequest.login)?["result"]
        #expect(result?["extensions"] == nil)
        #expect(result?["job"]?["algo"] == nil)
        #expect(result?["job"]?["height"] == nil)
    }

    @Test(arguments: ["", #""pass":"x""#, #""login":"""#, #""login":7"#])
    func refusesALoginWithoutAName(params: String) throws {
        var desk = try Desk()
        #expect(
            try desk.receive(TestRequest.line(1, "login", params))?["error"]?["message"] == .string("Missing login")
        )
    }

    @Test func acceptsAGoodShareAndCreditsItsDifficulty() throws {
        var desk = try Desk(difficulty: 16)
        let job = try desk.logIn()
        let difficulty = try #require(Difficulty(16))
        #expect(try desk.refusal(job.submit(job.nonce(meeting: difficulty))) == nil)
        let share = JudgedShare(connection: 1, user: "abLoc5wallet", difficulty: difficulty, height: 9, refusal: nil)
        #expect(desk.shares == [share])
    }

    @Test func refusesAHashAboveTheTarget() throws {
        var desk = try Desk(difficulty: 16)
        let job = try desk.logIn()
        let nonce = try job.nonce(meeting: #require(Difficulty(16)), false)
        #expect(try desk.refusal(job.submit(nonce)) == "Rejected share: invalid result")
        #expect(desk.shares.map(\.refusal) == [.lowDifficulty])
    }

    @Test func refusesAWrongHashEvenIfItWouldMeetTheTarget() throws {
        var desk = try Desk(difficulty: 16)
        let job = try desk.logIn()
        let nonce = try job.nonce(meeting: #require(Difficulty(16)))
        let zeros = String(repeating: "0", count: 64)
        #expect(try desk.refusal(job.submit(nonce, claim: zeros)) == "Rejected share: invalid result")
        let other = try job.nonce(from: nonce + 1, meeting: #require(Difficulty(16)))
        let upper = try #require(quickHash(job.blob(with: other))).hex.uppercased()
        #expect(try desk.refusal(job.submit(other, claim: upper)) == "Rejected share: invalid result")
        #expect(desk.shares.map(\.refusal) == [.wrongHash, .wrongHash])
    }

    @Test func refusesANonceThatCameBefore() throws {
        var desk = try Desk()
        let job = try desk.logIn()
        #expect(try desk.refusal(job.submit(3)) == nil)
        #expect(try desk.refusal(job.submit(3)) == "Duplicate share2")
        #expect(try desk.refusal(job.submit(4)) == nil)
    }

    @Test func takesSharesOfTheLastFourJobs() throws {
        var desk = try Desk()
        var jobs = [try desk.logIn()]
        for height in 10...14 {
            let tip = ChainTip(height: UInt64(height), previousID: ChainTip.genesisID, timestamp: 1_796_068_439)
            try desk.perform(desk.session.advanced(to: tip))
            jobs.append(try WireJob(desk.lines.last?["params"]))
        }
        #expect(Set(jobs.map(\.blob)).count == 6)
        #expect(jobs.map(\.height) == [9, 10, 11, 12, 13, 14])
        for old in jobs[..<2] { #expect(try desk.refusal(old.submit(1)) == "Invalid job id") }
        for kept in jobs[2...] { #expect(try desk.refusal(kept.submit(1)) == nil) }
    }

    @Test(arguments: [
        (#""nonce":"0100000""#, "Duplicate share1"),
        (#""nonce":"0100000g""#, "Duplicate share1"),
        (#""nonce":"010000000""#, "Duplicate share1"),
        (#""nonce":1"#, "Attack detected"),
        (#""x":0"#, "Attack detected"),
    ])
    func refusesAMalformedNonce(member: String, words: String) throws {
        var desk = try Desk()
        let job = try desk.logIn()
        let params = #""id":"\#(job.session)","job_id":"\#(job.id)","result":"00",\#(member)"#
        #expect(try desk.refusal(TestRequest.line(2, "submit", params)) == words)
    }

    @Test func knowsOnlyItsOwnSession() throws {
        var desk = try Desk()
        for method in ["submit", "getjob", "keepalived"] {
            #expect(try desk.refusal(TestRequest.line(2, method, "")) == "Unauthenticated")
        }
        let job = try desk.logIn()
        let params = #""id":"\#(job.session)""#
        #expect(
            try desk.receive(TestRequest.line(2, "keepalived", params))?["result"]?["status"]?.string == "KEEPALIVED"
        )
        #expect(try WireJob(desk.receive(TestRequest.line(3, "getjob", params))?["result"]) == job)
        for method in ["submit", "getjob", "keepalived"] {
            #expect(try desk.refusal(TestRequest.line(2, method, #""id":"1""#)) == "Unauthenticated")
        }
        #expect(try desk.refusal(TestRequest.line(2, "mining.subscribe", params)) == "Invalid method")
    }

    @Test(arguments: [
        "", "  \r", #"{"id":0,"method":"login","params":{"login":"a"}}"#, #"{"id":null,"method":"login","params":{}}"#,
        #"{"method":"login","params":{"login":"a"}}"#, #"{"id":1,"method":"login"}"#,
        #"{"id":1,"method":"login","params":[]}"#, #"{"id":1,"params":{}}"#, "[]", "7",
    ])
    func ignoresWhatIsNoRequest(line: String) throws {
        var desk = try Desk()
        #expect(try desk.receive(line) == nil)
        #expect(!desk.hangsUp)
    }

    @Test(arguments: ["{", "GET / HTTP/1.1", "{}{}"])
    func hangsUpOnGarbage(line: String) throws {
        var desk = try Desk()
        #expect(try desk.receive(line) == nil)
        #expect(desk.hangsUp)
    }

    @Test func echoesAnIdThatIsAString() throws {
        var desk = try Desk()
        let reply = try desk.receive(#"{"id":"a1","method":"login","params":{"login":"a"}}"#)
        #expect(reply?["id"] == .string("a1"))
    }

    @Test func keepsTheHighestNonceByteInNiceHashMode() throws {
        var desk = try Desk(number: 6) { $0.usesNiceHash = true }
        let reply = try #require(try desk.receive(TestRequest.login))
        #expect(reply["result"]?["extensions"] == .array([.string("nicehash")]))
        let job = try WireJob(reply["result"]?["job"])
        #expect(Array(job.blob[39..<43]) == [0, 0, 0, 7])
        #expect(try desk.refusal(job.submit(0x0700_0001)) == nil)
        #expect(!desk.hangsUp)
        #expect(try desk.refusal(job.submit(0x0800_0001)) == "Invalid nonce; is miner not compatible with NiceHash?")
        #expect(desk.hangsUp)
    }

    @Test func refusesAnotherAlgorithm() throws {
        var desk = try Desk()
        let job = try desk.logIn()
        func line(_ name: String) throws -> String {
            try job.submit(1).replacing(#""nonce""#, with: #""algo":"\#(name)","nonce""#)
        }
        #expect(try desk.refusal(line("cn/r")) == "Incorrect algorithm")
        #expect(try desk.refusal(line("CN-Heavy/XHV")) == nil)
    }

    @Test func pushesAnEasierJobWhenNoShareComes() throws {
        var desk = try Desk(difficulty: 1000) { $0.shareInterval = .seconds(1) }
        let first = try desk.logIn()
        desk.now = .seconds(7)
        try desk.perform(desk.session.ticked(at: desk.now))
        #expect(desk.lines.count == 1)
        desk.now = .seconds(8)
        try desk.perform(desk.session.ticked(at: desk.now))
        let job = try WireJob(desk.lines.last?["params"])
        #expect(desk.lines.last?["method"] == .string("job"))
        #expect(try job.target == PoolMessage.target(#require(Difficulty(500))))
        #expect(job.height == first.height)
        #expect(job.blob != first.blob)
    }
}
