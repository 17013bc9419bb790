import MiningWork
import Testing

@testable import Stratum

/// Feeds events to a rotation, keeps what a driver would, and checks what must hold after every step.
struct RotationDriver {
    /// What a pool's side of the story looks like.
    struct Peer {
        /// Whether there is a connection, or an attempt at one.
        var isOpen = false
        var connections = 0
        var port: UInt16?
        var submitted: [String] = []
        var lastID: UInt64 = 0
    }

    private(set) var rotation: PoolRotation
    private(set) var now: Duration = .zero
    private(set) var peers: [Peer]
    /// The job that is hashed; nil while nothing is.
    private(set) var mined: Job?
    /// Every job that was delivered, the newest last.
    private(set) var jobs: [Job] = []
    private(set) var verdicts: [ShareVerdict] = []
    /// When hashing was interrupted.
    private(set) var suspensions: [Duration] = []
    private(set) var last: [PoolRotation.Action] = []
    private var jobCount = 0
    /// Signs of life that wait for their answer, which comes at once.
    private var keepalives: [(pool: Int, id: UInt64)] = []

    init(pools: Int = 2, trial: Duration = .seconds(60)) {
        rotation = PoolRotation(
            (0..<pools).map { number in
                .init(
                    user: "user\(number)",
                    agent: "a",
                    algorithm: ScriptedDriver.catalog.algorithm(named: "cn-heavy/xhv"),
                    catalog: ScriptedDriver.catalog,
                    host: "pool\(number)",
                    jitterSeed: UInt64(number)
                )
            },
            trial: trial
        )
        peers = Array(repeating: Peer(), count: pools)
        handle(.started)
    }

    /// The pool that is mined for.
    var pool: Int? { mined.map { Int($0.session >> 32) } }

    /// Pools with a connection, or an attempt at one.
    var open: [Int] { peers.indices.filter { peers[$0].isOpen } }

    mutating func handle(_ event: PoolRotation.Event) {
        if case .disconnected(let pool, _) = event, peers.indices.contains(pool) { peers[pool].isOpen = false }
        last = rotation.handle(event, at: now)
        for action in last { take(action) }
        #expect(mined == nil || rotation.chosen == pool)
        let due = keepalives
        keepalives = []
        for (pool, id) in due { say(#"{"id":\#(id),"result":{"status":"KEEPALIVED"}}"#, pool) }
    }

    /// Lets time pass as a driver would, stopping at each deadline.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while let deadline = rotation.nextDeadline, deadline <= end {
            let isProgress = deadline > now
            now = max(now, deadline)
            handle(.timePassed)
            guard isProgress || rotation.nextDeadline != deadline else {
                Issue.record("the deadline \(deadline) stays")
                return
            }
        }
        now = end
    }

    /// The pool answers every attempt at once, and takes the login with a job.
    mutating func accept(_ pool: Int) {
        handle(.connected(pool: pool))
        say(#"{"id":1,"result":{"id":"s","job":\#(newJob())}}"#, pool)
    }

    mutating func refuse(_ pool: Int, _ words: String) {
        handle(.connected(pool: pool))
        say(#"{"id":1,"error":{"message":"\#(words)"}}"#, pool)
    }

    mutating func fail(_ pool: Int) { handle(.disconnected(pool: pool, reason: "refused")) }

    mutating func pushJob(_ pool: Int) { say(#"{"method":"job","params":\#(newJob())}"#, pool) }

    /// Answers the latest request of the pool's connection.
    mutating func answer(_ pool: Int, error: String? = nil) {
        let error = error.map { #"{"message":"\#($0)"}"# } ?? "null"
        say(#"{"id":\#(peers[pool].lastID),"error":\#(error)}"#, pool)
    }

    mutating func say(_ line: String, _ pool: Int) { handle(.received(pool: pool, line: Array(line.utf8))) }

    mutating func find(_ job: Job, nonce: UInt32) throws {
        let digest = try #require(Digest(bytes: [UInt8](repeating: 1, count: 32)))
        handle(.found(Share(job: job, nonce: Nonce(nonce), digest: digest)))
    }

    private mutating func newJob() -> String {
        jobCount += 1
        let root = Hex.encode((0..<33).map { UInt8(truncatingIfNeeded: jobCount >> ($0 % 4 * 8)) })
        let blob = String(repeating: "07", count: 39) + "00000000" + root
        return #"{"blob":"\#(blob)","job_id":"\#(jobCount)","target":"ffffffff"}"#
    }

    private mutating func take(_ action: PoolRotation.Action) {
        switch action {
        case .connect(let pool, let port):
            #expect(!peers[pool].isOpen)
            peers[pool] = Peer(
                isOpen: true,
                connections: peers[pool].connections + 1,
                port: port,
                submitted: peers[pool].submitted
            )
        case .send(let pool, let line): sent(line, to: pool)
        case .disconnect(let pool, _): peers[pool].isOpen = false
        case .deliver(let job):
            mined = job
            jobs.append(job)
        case .suspendWork:
            mined = nil
            suspensions.append(now)
        case .judged(let verdict): verdicts.append(verdict)
        case .choose, .reportLoss, .reportLogin, .examine, .note, .warn, .giveUp: break
        }
    }

    private mutating func sent(_ line: String, to pool: Int) {
        #expect(peers[pool].isOpen)
        guard let request = try? JSONValue(parsing: Array(line.utf8)) else { return }
        if request["method"]?.string == "keepalived" {
            return keepalives.append((pool, request["id"]?.unsigned ?? 0))
        }
        peers[pool].lastID = request["id"]?.unsigned ?? 0
        if request["method"]?.string == "submit", let id = request["params"]?["job_id"]?.string {
            peers[pool].submitted.append(id)
        }
    }
}
