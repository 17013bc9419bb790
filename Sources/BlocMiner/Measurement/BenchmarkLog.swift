internal import CryptoNight
internal import MiningWork
internal import PoolTransport

/// What a benchmark's workers have said and found.
final class BenchmarkLog: Sendable {
    /// Digests that are kept to be checked after the measurement.
    static let keptShares = 8

    struct Entries: Sendable {
        var pages: [PageBacking] = []
        var notes: [String] = []
        var failure: String?
        var shares: [Share] = []
        var genuine = 0
        var wrong = 0
    }

    private let state = Locked(Entries())

    var entries: Entries { state.withLock { $0 } }

    func keep(_ share: Share) {
        state.withLock { if $0.shares.count < Self.keptShares { $0.shares.append(share) } }
    }

    func note(_ report: WorkshopReport) {
        state.withLock { entries in
            switch report {
            case .worker(.ready(_, let pages)): entries.pages.append(pages)
            case .worker(.note(let worker, let text)): entries.notes.append("worker \(worker): \(text)")
            case .worker(.failed(let worker, let reason)): entries.failure = "worker \(worker): \(reason)"
            case .worker(.exhausted): entries.failure = "the nonces ran out"
            case .checked(.genuine): entries.genuine += 1
            case .checked(.genuineButMischecked), .checked(.invalid), .checked(.unchecked): entries.wrong += 1
            }
        }
    }
}
