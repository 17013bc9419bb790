import MiningWork
import Stratum

/// What the pool has to do for a session.
enum SessionAction: Sendable {
    case send(String)
    /// Hash the submission's blob and come back with `verified`.
    case verify(Submission)
    case countLogin
    case countJob
    case report(JudgedShare)
    /// Close once everything is sent.
    case hangUp
}

/// A share that has passed every check but the hash.
struct Submission: Hashable, Sendable {
    let request: JSONValue
    /// The blob with the nonce in place.
    let blob: [UInt8]
    let height: UInt64
    let difficulty: Difficulty
    /// The hash that the miner claims, as it wrote it.
    let claim: String
}

/// The pool's side of one connection, as a value: events in, actions out. Times count from the pool's start.
struct MinerSession: Sendable {
    /// A job that shares may still come for.
    struct PendingJob: Sendable {
        let id: String
        let blob: [UInt8]
        let height: UInt64
        let difficulty: Difficulty
        var nonces: Set<UInt32> = []
    }

    /// Jobs of a connection that stay valid.
    static let keptJobs = 4

    private let configuration: LoopbackPoolConfiguration
    private let number: Int
    private var generator: SeededGenerator
    private var tip: ChainTip
    private var difficulty: VariableDifficulty
    private var id: String?
    private var user = ""
    private var jobs: [PendingJob] = []

    init(number: Int, configuration: LoopbackPoolConfiguration, tip: ChainTip, seed: UInt64) {
        self.number = number
        self.configuration = configuration
        self.tip = tip
        generator = SeededGenerator(seed: seed)
        difficulty = VariableDifficulty(configuration.startDifficulty, shareInterval: nil, at: .zero)
    }

    private var highNonceByte: UInt8 {
        configuration.usesNiceHash ? UInt8(truncatingIfNeeded: number % 255 + 1) : 0
    }
}

// Events.
extension MinerSession {
    /// The miner sent a line.
    mutating func received(line: [UInt8], at now: Duration) -> [SessionAction] {
        switch MinerLine(line) {
        case .ignored: []
        case .garbage: [.hangUp]
        case .request(let request, let method, let params):
            switch method {
            case "login": login(request, params, at: now)
            case "submit": submit(request, params)
            case "getjob": answer(request, params) { $0.currentJob }
            case "keepalived": answer(request, params) { _ in ["status": .string("KEEPALIVED")] }
            default: [.send(PoolMessage.refusal(of: request, "Invalid method"))]
            }
        }
    }

    /// The submission's blob was hashed; `digest` is nil if it could not be.
    mutating func verified(_ submission: Submission, digest: Digest?, at now: Duration) -> [SessionAction] {
        guard let digest, digest.hex == submission.claim else { return refuse(submission, .wrongHash) }
        guard submission.difficulty.isMet(by: digest) else { return refuse(submission, .lowDifficulty) }
        let reply = PoolMessage.reply(to: submission.request, result: ["status": .string("OK")])
        let isRetargeted = difficulty.accepted(submission.difficulty, at: now)
        return [.send(reply), .report(judged(submission, nil))] + (isRetargeted ? pushJob() : [])
    }

    /// The submission will not be hashed.
    func overloaded(by submission: Submission) -> [SessionAction] { refuse(submission, .overloaded) }

    /// The chain grew.
    mutating func advanced(to tip: ChainTip) -> [SessionAction] {
        self.tip = tip
        return pushJob()
    }

    /// Time went by.
    mutating func ticked(at now: Duration) -> [SessionAction] {
        id != nil && difficulty.retarget(at: now) ? pushJob() : []
    }
}

// Logins and jobs.
extension MinerSession {
    private mutating func login(_ request: JSONValue, _ params: JSONValue, at now: Duration) -> [SessionAction] {
        guard let login = params["login"]?.string, !login.isEmpty else {
            return [.send(PoolMessage.refusal(of: request, "Missing login"))]
        }
        let session = generator.identifier()
        (id, user, jobs) = (session, PeerText.printable(login, limit: 128), [])
        difficulty = VariableDifficulty(
            configuration.startDifficulty,
            shareInterval: configuration.shareInterval,
            at: now
        )
        addJob()
        var result: [String: JSONValue] = [
            "id": .string(session), "job": .object(currentJob), "status": .string("OK"),
        ]
        let extensions = configuration.extensions + (configuration.usesNiceHash ? ["nicehash"] : [])
        if !extensions.isEmpty { result["extensions"] = .array(extensions.map { .string($0) }) }
        return [.send(PoolMessage.reply(to: request, result: result)), .countLogin, .countJob]
    }

    private mutating func pushJob() -> [SessionAction] {
        guard id != nil else { return [] }
        addJob()
        return [.send(PoolMessage.notification(job: currentJob)), .countJob]
    }

    private mutating func addJob() {
        let blob = tip.hashingBlob(root: generator.hashBytes(), highNonceByte: highNonceByte)
        jobs.append(
            PendingJob(id: generator.identifier(), blob: blob, height: tip.height, difficulty: difficulty.current)
        )
        jobs.removeFirst(max(0, jobs.count - Self.keptJobs))
    }

    /// The newest job's members.
    private var currentJob: [String: JSONValue] {
        guard let job = jobs.last, let id else { return [:] }
        var members: [String: JSONValue] = [
            "blob": .string(Hex.encode(job.blob)), "job_id": .string(job.id), "id": .string(id),
            "target": .string(PoolMessage.target(job.difficulty)),
        ]
        if configuration.namesAlgorithm { members["algo"] = .string(configuration.algorithm.name) }
        if configuration.namesHeight { members["height"] = .integer(Int128(job.height)) }
        return members
    }

    private func answer(
        _ request: JSONValue,
        _ params: JSONValue,
        with result: (MinerSession) -> [String: JSONValue]
    ) -> [SessionAction] {
        guard owns(params) else {
            return [.send(PoolMessage.refusal(of: request, ShareRefusal.unauthenticated.text))]
        }
        return [.send(PoolMessage.reply(to: request, result: result(self)))]
    }

    private func owns(_ params: JSONValue) -> Bool { id != nil && params["id"]?.string == id }
}

// Shares.
extension MinerSession {
    private mutating func submit(_ request: JSONValue, _ params: JSONValue) -> [SessionAction] {
        guard owns(params) else { return refuse(request, .unauthenticated) }
        guard let index = jobs.firstIndex(where: { $0.id == params["job_id"]?.string }) else {
            return refuse(request, .unknownJob)
        }
        let job = jobs[index]
        guard let nonce = params["nonce"]?.string, let claim = params["result"]?.string else {
            return refuse(request, .incomplete, job)
        }
        guard nonce.utf8.count == 8, let bytes = Hex.decode(nonce) else { return refuse(request, .malformedNonce, job) }
        guard namesThisAlgorithm(params["algo"]) else { return refuse(request, .wrongAlgorithm, job) }
        guard !configuration.usesNiceHash || bytes.last == highNonceByte else {
            return refuse(request, .wrongFixedByte, job) + [.hangUp]
        }
        let value = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard jobs[index].nonces.insert(value).inserted else { return refuse(request, .duplicate, job) }
        var blob = job.blob
        blob.replaceSubrange(Nonce.offset..<Nonce.offset + Nonce.byteCount, with: bytes)
        let submission = Submission(
            request: request,
            blob: blob,
            height: job.height,
            difficulty: job.difficulty,
            claim: claim
        )
        return [.verify(submission)]
    }

    private func namesThisAlgorithm(_ name: JSONValue?) -> Bool {
        guard let name = name?.string?.lowercased() else { return true }
        return ([configuration.algorithm.name] + configuration.algorithm.aliases).contains { $0.lowercased() == name }
    }

    private func refuse(_ request: JSONValue, _ refusal: ShareRefusal, _ job: PendingJob? = nil) -> [SessionAction] {
        let share = JudgedShare(
            connection: number,
            user: user,
            difficulty: job?.difficulty,
            height: job?.height,
            refusal: refusal
        )
        return [.send(PoolMessage.refusal(of: request, refusal.text)), .report(share)]
    }

    private func refuse(_ submission: Submission, _ refusal: ShareRefusal) -> [SessionAction] {
        [.send(PoolMessage.refusal(of: submission.request, refusal.text)), .report(judged(submission, refusal))]
    }

    private func judged(_ submission: Submission, _ refusal: ShareRefusal?) -> JudgedShare {
        JudgedShare(
            connection: number,
            user: user,
            difficulty: submission.difficulty,
            height: submission.height,
            refusal: refusal
        )
    }
}
