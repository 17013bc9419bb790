internal import CryptoNight

/// Finds the fastest form of work by successive halving: all candidates for a short while, the better half for longer,
/// and so on until one is left. A value: somebody else measures, and has the clock.
///
/// Only measurements of one round are compared, since the machine's speed drifts with its neighbours.
struct TuningSearch: Sendable {
    /// A form, and how long to measure it.
    struct Trial: Hashable, Sendable {
        let form: WorkForm
        let duration: Duration
    }

    /// A batch that takes longer would keep results and stops waiting.
    static let longestBatchSeconds = 0.5
    private static let firstDuration: Duration = .milliseconds(500)
    private static let longestDuration: Duration = .milliseconds(2500)

    /// Lane counts whose kernels are code of their own; the last one stands for all larger ones.
    static let distinctLanes = [1, 2, 3, 4, 5, 6]

    private let space: TuningSpace
    private let unsound: [HashKernel]
    private var round = 0
    private var pending: [WorkForm]
    private var measured: [(form: WorkForm, hashesPerSecond: Double)] = []
    private var winner: (form: WorkForm, hashesPerSecond: Double)?

    /// The fastest form so far: of the present round where it has compared some, else of the one before.
    var best: (form: WorkForm, hashesPerSecond: Double)? {
        measured.count > 1 ? measured.max { $0.hashesPerSecond < $1.hashesPerSecond } : winner ?? measured.first
    }

    /// Starts with every coarse lane count on the planner's threads and the first path.
    init(_ space: TuningSpace, unsound: [HashKernel] = []) {
        self.space = space
        self.unsound = unsound
        pending = []
        guard let threads = space.threads.first, let path = space.paths.first else { return }
        pending = TuningSpace.coarseLanes
            .map { WorkForm(threads: threads, lanes: $0, path: path) }
            .filter(admits)
    }

    /// What to measure next; nil when the search is over.
    var next: Trial? { pending.first.map { Trial(form: $0, duration: Self.duration(of: round)) } }

    /// Takes note of what the form of `next` hashes per second, all threads together.
    mutating func record(hashesPerSecond: Double) {
        guard !pending.isEmpty else { return }
        let form = pending.removeFirst()
        let batchSeconds = Double(form.threads * form.lanes) / hashesPerSecond
        // One lane can't be divided further: however slow, it is what can be done.
        if batchSeconds <= Self.longestBatchSeconds || form.lanes == 1 { measured.append((form, hashesPerSecond)) }
        if pending.isEmpty { endRound() }
    }

    private mutating func endRound() {
        measured.sort { $0.hashesPerSecond > $1.hashesPerSecond }
        winner = measured.first ?? winner
        let isLast = round > 0 && measured.count <= 2
        guard let winner, !isLast else { return }
        var survivors = measured.prefix((measured.count + 1) / 2).map(\.form)
        if round == 0 { survivors += relatives(of: winner.form).filter { !survivors.contains($0) } }
        pending = survivors.count > 1 ? survivors : []
        measured = []
        round += 1
    }

    /// Forms near the best of the first round that the coarse grid left out.
    private func relatives(of form: WorkForm) -> [WorkForm] {
        let finer = [6, 7, 9, 10].map { form.lanes * $0 / 8 }.filter { !TuningSpace.coarseLanes.contains($0) }
        let forms =
            finer.map { WorkForm(threads: form.threads, lanes: $0, path: form.path) }
            + space.threads.dropFirst().map { WorkForm(threads: $0, lanes: form.lanes, path: form.path) }
            + space.paths.dropFirst().prefix(1).map { WorkForm(threads: form.threads, lanes: form.lanes, path: $0) }
        return forms.filter(admits)
    }

    private func admits(_ form: WorkForm) -> Bool {
        let code = min(form.lanes, Self.distinctLanes.last ?? form.lanes)
        return space.admits(form) && !unsound.contains { $0.path == form.path && $0.lanes == code }
    }

    private static func duration(of round: Int) -> Duration {
        min(longestDuration, firstDuration * (1 << min(round, 8)))
    }
}
