internal import CryptoNight

/// Finds the fastest form of work by successive halving: all candidates for a short while, the better half for longer,
/// and so on until one is left. A value: somebody else measures, and has the clock.
///
/// Only measurements of one round are compared, since the machine's speed drifts with its neighbours; and the fewer
/// candidates a round has, the more often it goes through them in turns.
struct TuningSearch: Sendable {
    /// A form, and how long to measure it.
    struct Trial: Hashable, Sendable {
        let form: WorkForm
        let duration: Duration
    }

    /// A batch that takes longer would keep results and stops waiting.
    static let longestBatchSeconds = 0.5
    private static let firstDuration: Duration = .milliseconds(500)
    private static let laterDuration: Duration = .milliseconds(800)
    /// How often each round measures each of its forms.
    private static let passes = [1, 1, 2, 3]

    /// Lane counts whose kernels are code of their own; the last one stands for all larger ones.
    static let distinctLanes = [1, 2, 3, 4, 5, 6]

    private let space: TuningSpace
    private let unsound: [HashKernel]
    private var round = 0
    private var pending: [WorkForm]
    private var tallies: [Tally] = []
    private var winner: (form: WorkForm, hashesPerSecond: Double)?

    /// What a round measured of one form.
    private struct Tally {
        let form: WorkForm
        var sum: Double
        var count = 1

        var mean: Double { sum / Double(count) }
    }

    /// The fastest form so far: of the present round where it has compared some, else of the one before.
    var best: (form: WorkForm, hashesPerSecond: Double)? {
        let compared = ranking
        return compared.count > 1 ? compared.first : winner ?? compared.first
    }

    /// The present round's forms that may be used, the fastest first.
    private var ranking: [(form: WorkForm, hashesPerSecond: Double)] {
        tallies.filter(Self.isQuick).sorted { $0.mean > $1.mean }.map { ($0.form, $0.mean) }
    }

    /// Starts with every coarse lane count on the planner's threads and the first path.
    init(_ space: TuningSpace, unsound: [HashKernel] = []) {
        self.space = space
        self.unsound = unsound
        pending = []
        guard let threads = space.threads.first else { return }
        for path in space.paths where pending.isEmpty {
            pending = space.coarseLanes.map { WorkForm(threads: threads, lanes: $0, path: path) }.filter(admits)
        }
    }

    /// What to measure next; nil when the search is over.
    var next: Trial? { pending.first.map { Trial(form: $0, duration: Self.duration(of: round)) } }

    /// Takes note of what the form of `next` hashes per second, all threads together.
    mutating func record(hashesPerSecond: Double) {
        guard !pending.isEmpty else { return }
        let form = pending.removeFirst()
        if let index = tallies.firstIndex(where: { $0.form == form }) {
            tallies[index].sum += hashesPerSecond
            tallies[index].count += 1
        } else {
            tallies.append(Tally(form: form, sum: hashesPerSecond))
        }
        if pending.isEmpty { endRound() }
    }

    /// Whether a batch takes no longer than it may. One lane can't be divided further: however slow, it is what can be
    /// done.
    private static func isQuick(_ tally: Tally) -> Bool {
        tally.form.lanes == 1 || Double(tally.form.threads * tally.form.lanes) / tally.mean <= longestBatchSeconds
    }

    private mutating func endRound() {
        let compared = ranking
        winner = compared.first ?? winner
        let isLast = round > 0 && compared.count <= 2
        guard let winner, !isLast else { return }
        var survivors = compared.prefix((compared.count + 1) / 2).map(\.form)
        if round == 0 { survivors += relatives(of: winner.form).filter { !survivors.contains($0) } }
        round += 1
        tallies = []
        let passes = Self.passes[min(round, Self.passes.count - 1)]
        pending = survivors.count > 1 ? Array(repeatElement(survivors, count: passes).joined()) : []
    }

    /// Forms near the best of the first round that the coarse grid left out.
    private func relatives(of form: WorkForm) -> [WorkForm] {
        let finer =
            space.fixedLanes != nil
            ? []
            : [6, 7, 9, 10].map { form.lanes * $0 / 8 }
                .filter { !TuningSpace.usualLanes.contains($0) }
        let forms =
            finer.map { WorkForm(threads: form.threads, lanes: $0, path: form.path) }
            + space.threads.dropFirst().map { WorkForm(threads: $0, lanes: form.lanes, path: form.path) }
            + space.paths.filter { $0 != form.path }.map {
                WorkForm(threads: form.threads, lanes: form.lanes, path: $0)
            }
        return forms.filter(admits)
    }

    private func admits(_ form: WorkForm) -> Bool {
        let code = min(form.lanes, Self.distinctLanes.last ?? form.lanes)
        return space.admits(form) && !unsound.contains { $0.path == form.path && $0.lanes == code }
    }

    private static func duration(of round: Int) -> Duration { round == 0 ? firstDuration : laterDuration }
}
