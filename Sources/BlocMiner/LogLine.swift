internal import CryptoNight
internal import MachineTopology
internal import MiningWork

/// How much a line matters.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// For whoever looks for a fault.
    case debug
    /// What a user may want to know.
    case info
    /// What a user should look at.
    case warning

    /// Orders what matters less before what matters more.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// A line for a log. Holds no secret, and no control character of a peer's.
public struct LogLine: Hashable, Sendable {
    /// How much it matters.
    public let level: LogLevel
    /// A sentence without a full stop.
    public let text: String

    /// A line.
    public init(_ level: LogLevel, _ text: String) {
        self.level = level
        self.text = text
    }
}

extension MinerEvent {
    /// The event in words.
    public var logLine: LogLine {
        switch self {
        case .connecting(let pool): LogLine(.debug, "connecting to \(pool)")
        case .connected(let pool, let remote, let security, _):
            LogLine(
                .info,
                "logged in to \(pool) (\([remote, security?.description].compactMap { $0 }.joined(separator: ", ")))"
            )
        case .switched(let pool): LogLine(.info, "mining for \(pool)")
        case .disconnected(let pool, let reason, let retry):
            LogLine(.warning, "no connection to \(pool): \(reason); \(Self.words(retry: retry))")
        case .started(let plan, let kernel): LogLine(.info, "hashing \(kernel), on \(plan.threads.count) threads")
        case .pages(let worker, let backing): LogLine(.debug, "worker \(worker): \(backing.summary)")
        case .tuning(let form, let rate): LogLine(.debug, "tuning: \(form): \(Self.words(rate: rate))")
        case .tuned(let form, let rate): LogLine(.info, "tuned: \(form) is fastest, \(Self.words(rate: rate))")
        case .job(let job):
            LogLine(.info, "new job of difficulty \(job.target.difficulty.hashes), \(job.algorithm.name)")
        case .hashrate(let rates): LogLine(.debug, Self.words(rate: rates.tenSeconds?.hashesPerSecond ?? 0))
        case .share(let event): event.logLine
        case .paused(let reason): LogLine(.info, "paused: \(reason)")
        case .resumed: LogLine(.info, "mining again")
        case .note(let text): LogLine(.info, text)
        case .warning(let text): LogLine(.warning, text)
        }
    }

    private static func words(retry: Duration?) -> String {
        retry.map { "trying again in \(Int($0 / .milliseconds(1))) ms" } ?? "giving up"
    }

    private static func words(rate: Double) -> String {
        let tenths = Int(min(max(rate, 0), 1e15) * 10)
        return "\(tenths / 10).\(tenths % 10) H/s"
    }
}

extension ShareEvent {
    fileprivate var logLine: LogLine {
        switch outcome {
        case .accepted(let latency): LogLine(.info, "share accepted after \(Int(latency / .milliseconds(1))) ms")
        case .rejected(let reason, _): LogLine(.warning, "share rejected: \(reason)")
        case .stale(let reason): LogLine(.info, "share is stale: \(reason)")
        case .invalid(let computed, let checked):
            LogLine(.warning, "share is invalid and not sent: computed \(computed), checked \(checked)")
        }
    }
}
