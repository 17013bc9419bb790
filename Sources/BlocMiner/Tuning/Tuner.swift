internal import CryptoNight
internal import Dispatch

/// Measures forms of work on a crew that hashes real work meanwhile: no hash is computed for the measurement's sake.
struct Tuner: Sendable {
    /// Time for a whole search, without the time in which there is nothing to hash.
    static let budget: Duration = .seconds(55)
    private static let step: Duration = .milliseconds(20)

    let crew: WorkerCrew
    let space: TuningSpace
    /// Ends its self-tests early when it changes.
    var watch: WorkWatch?
    /// Hears of each trial: the form and its hashes per second.
    let tried: @Sendable (WorkForm, Double) -> Void

    /// The fastest form and its rate; nil when the task was cancelled or no form could be measured.
    func run() async -> (form: WorkForm, hashesPerSecond: Double)? {
        let start = crew.board.hashingTime
        var search = TuningSearch(space, unsound: await unsoundForms())
        while let trial = search.next, crew.board.hashingTime - start < Self.budget {
            crew.board.use(trial.form)
            guard let rate = await measure(trial) else { return nil }
            search.record(hashesPerSecond: rate)
            tried(trial.form, rate)
        }
        return search.best
    }

    /// The trial's rate, from the first batch of every worker in the new form on. Time without work doesn't count: the
    /// measurement starts again after it. Nil when the task was cancelled.
    private func measure(_ trial: TuningSearch.Trial) async -> Double? {
        while !Task.isCancelled {
            let interruptions = crew.board.interruptions
            guard await waitForBatches(of: trial.form) else { return nil }
            var sampler = HashrateSampler(start: readings(trial.form))
            let end = ContinuousClock.now + trial.duration
            while ContinuousClock.now < end { guard await pause() else { return nil } }
            while !sampler.take(readings(trial.form)) { guard await pause() else { return nil } }
            if crew.board.interruptions == interruptions, let rate = sampler.samples.first { return rate }
        }
        return nil
    }

    private func waitForBatches(of form: WorkForm) async -> Bool {
        while !readings(form).allSatisfy({ $0.form == form }) {
            guard await pause() else { return false }
        }
        return true
    }

    /// Forms of the kernels that fail their self-test and must not be tried: each unrolled lane count by itself, and one
    /// for the loop that serves all larger ones.
    private func unsoundForms() async -> [HashKernel] {
        let kernels = space.paths.flatMap { path in
            TuningSearch.distinctLanes.map { HashKernel(variant: crew.kernel.variant, path: path, lanes: $0) }
        }
        return await withCheckedContinuation { [watch] tested in
            DispatchQueue.global().async {
                tested.resume(returning: kernels.filter { SelfTest.failure(of: $0, watching: watch) != nil })
            }
        }
    }

    private func readings(_ form: WorkForm) -> [WorkerCounter.Reading] {
        crew.counters.prefix(form.threads).map(\.reading)
    }

    /// False when the task was cancelled.
    private func pause() async -> Bool { (try? await Task.sleep(for: Self.step)) != nil }
}
