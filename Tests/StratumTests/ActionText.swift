import MiningWork
import Stratum

/// Actions as transcripts spell them.
enum ActionText {
    static func text(_ action: StratumSession.Action) -> String {
        switch action {
        case .send(let line): "> \(line)"
        case .disconnect(let reason): "= disconnect: \(reason)"
        case .connect(let pause): "= connect after \(milliseconds(pause)) ms"
        case .redirect(let port): "= redirect to \(port.map { "port \($0)" } ?? "the configured port")"
        case .examine(let shares, let refusal):
            "= examine \(shares.map(\.nonce.hex).joined(separator: " ")): \(refusal)"
        case .deliver(let job): "= deliver \(text(job))"
        case .suspendWork(let reason): "= suspend: \(reason)"
        case .judged(let verdict): "= \(text(verdict))"
        case .loggedIn(let extensions): "= logged in [\(extensions.joined(separator: ","))]"
        case .note(let text): "= note: \(text)"
        case .warn(let text): "= warn: \(text)"
        case .giveUp(let text): "= give up: \(text)"
        }
    }

    private static func text(_ job: Job) -> String {
        let nonces = if case .low24(let fixed) = job.nonceSpace { "low24(\(Hex.encode([fixed])))" } else { "full" }
        let height = job.height.map(String.init) ?? "-"
        return "\(job.id) \(job.algorithm.name) difficulty \(job.target.difficulty.hashes) \(nonces) height \(height)"
    }

    private static func text(_ verdict: ShareVerdict) -> String {
        let after = verdict.latency.map { " after \(milliseconds($0)) ms" } ?? ""
        return switch verdict.outcome {
        case .accepted: "accepted \(verdict.share.nonce.hex)\(after)"
        case .rejected(let reason): "rejected \(verdict.share.nonce.hex)\(after): \(reason)"
        case .stale(let reason): "stale \(verdict.share.nonce.hex)\(after): \(reason)"
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }

    /// Whether `actual` is what the transcript line `expected` says: `…` stands for anything, `~4s` for a pause of four
    /// seconds give or take a fifth.
    static func matches(_ actual: String, _ expected: String) -> Bool {
        let prefix = "= connect after "
        if expected.hasPrefix(prefix + "~"), actual.hasPrefix(prefix) {
            let seconds = Int64(expected.filter(\.isNumber)) ?? 0
            let waited = Int64(actual.filter(\.isNumber)) ?? -1
            return (seconds * 800...seconds * 1200).contains(waited)
        }
        let parts = expected.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return actual == expected }
        var rest = actual[...]
        for (index, part) in parts.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1 {
                return rest.hasSuffix(part)
            } else {
                guard let found = rest.firstRange(of: part) else { return false }
                rest = rest[found.upperBound...]
            }
        }
        return true
    }
}
