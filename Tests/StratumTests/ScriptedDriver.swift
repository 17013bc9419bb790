import FoundationEssentials
import MiningWork
import Stratum

/// Feeds a transcript's events to a session and shows its actions as transcript lines.
struct ScriptedDriver {
    private var session: StratumSession
    private var now: Duration = .zero
    private var delivered: [Job] = []
    private var actions: [StratumSession.Action] = []

    /// What the transcripts know of hashing.
    static let catalog = AlgorithmCatalog([
        Algorithm(name: "cn/0", aliases: ["cn", "cryptonight"]),
        Algorithm(name: "cn/1", aliases: ["cryptonight/1", "cryptonight_v7"], minimumBlobBytes: 43),
        Algorithm(name: "cn/r", aliases: ["cryptonight_r"], needsHeight: true),
        Algorithm(name: "cn-pico", aliases: ["cn-pico/trtl"]),
        Algorithm(name: "cn-heavy/xhv", aliases: ["cryptonight_haven"]),
    ])

    init(_ transcript: Transcript) throws {
        var configuration = StratumSession.Configuration(
            user: "abLoc5User",
            agent: "BlocMiner/1.0",
            catalog: Self.catalog,
            host: "pool.invalid"
        )
        for line in transcript.settings { try Self.apply(line, to: &configuration) }
        session = StratumSession(configuration)
    }

    /// Carries out one event, and shows what comes of it.
    mutating func run(_ event: Transcript.Line) throws -> [String] {
        actions = []
        let words = event.text.split(separator: " ", maxSplits: 1)
        if words.count == 2, words[0].hasSuffix("x"), let count = Int(words[0].dropLast()) {
            for _ in 0..<count { try runOnce(Transcript.Line(place: event.place, text: String(words[1]))) }
        } else {
            try runOnce(event)
        }
        return actions.map(ActionText.text)
    }

    private mutating func runOnce(_ event: Transcript.Line) throws {
        let (verb, rest) = Self.split(event.text)
        switch verb {
        case "<": handle(.received(line: Array(rest.utf8)))
        case "<hex": handle(.received(line: Hex.decode(rest) ?? []))
        case "@": try pass(to: Self.time(rest, after: now, event))
        case "+": try happen(rest, event)
        default: throw TranscriptError(line: event, problem: "not a known kind of line")
        }
    }

    private mutating func happen(_ text: String, _ line: Transcript.Line) throws {
        let (event, rest) = Self.split(text)
        switch event {
        case "attempted": handle(.attempted)
        case "connected": handle(.connected)
        case "left": handle(.left(reason: rest))
        case "disconnected": handle(.disconnected(reason: rest))
        case "stopped": handle(.stopped)
        case "exhausted": handle(.nonceSpaceExhausted(try job(rest, line)))
        case "found":
            let words = rest.split(separator: " ").map(String.init)
            guard words.count == 2, let bytes = Hex.decode(words[1]), bytes.count == 4,
                let digest = Digest(bytes: [UInt8](repeating: 0x19, count: 32))
            else { throw TranscriptError(line: line, problem: "wants a job and a nonce") }
            let nonce = Nonce(bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
            handle(.found(Share(job: try job(words[0], line), nonce: nonce, digest: digest)))
        default: throw TranscriptError(line: line, problem: "not a known event")
        }
    }

    /// `ID` is the newest job of that name, `ID#2` the second one.
    private func job(_ name: String, _ line: Transcript.Line) throws -> Job {
        let parts = name.split(separator: "#").map(String.init)
        let jobs = delivered.filter { $0.id == parts[0] }
        let index = parts.count == 2 ? (Int(parts[1]) ?? 0) - 1 : jobs.count - 1
        guard jobs.indices.contains(index) else { throw TranscriptError(line: line, problem: "no such job") }
        return jobs[index]
    }

    /// Lets time pass as a driver would, stopping at each deadline.
    private mutating func pass(to time: Duration) {
        while let deadline = session.nextDeadline, deadline <= time {
            now = max(now, deadline)
            handle(.timePassed)
        }
        now = time
    }

    private mutating func handle(_ event: StratumSession.Event) {
        let new = session.handle(event, at: now)
        for action in new { if case .deliver(let job) = action { delivered.append(job) } }
        actions += new
    }

    private static func split(_ text: String) -> (String, String) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (words[0], words.count == 2 ? words[1] : "")
    }

    /// `61s` is a moment, `+500ms` a while.
    private static func time(_ text: String, after now: Duration, _ line: Transcript.Line) throws -> Duration {
        let isWhile = text.hasPrefix("+")
        let digits = text.filter(\.isNumber)
        guard let number = Int64(digits) else { throw TranscriptError(line: line, problem: "no time") }
        let duration: Duration = text.hasSuffix("ms") ? .milliseconds(number) : .seconds(number)
        return isWhile ? now + duration : duration
    }

    private static func apply(_ line: Transcript.Line, to configuration: inout StratumSession.Configuration) throws {
        let words = line.text.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words[1], words.count == 3 ? words[2] : "") {
        case ("user", let text): configuration.user = text
        case ("password", let text): configuration.password = text
        case ("rig", let text): configuration.rigID = text
        case ("agent", let text): configuration.agent = text
        case ("host", let text): configuration.host = text
        case ("algo", let text): configuration.algorithm = catalog.algorithm(named: text)
        case ("nicehash", _): configuration.isNiceHash = true
        case ("keepalive", "off"): configuration.sendsKeepalive = false
        default: throw TranscriptError(line: line, problem: "not a known setting")
        }
    }
}
