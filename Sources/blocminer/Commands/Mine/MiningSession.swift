import BlocMiner

/// How mining ended.
struct MiningOutcome {
    /// The figures at the end.
    let statistics: MinerStatistics
    /// Who stopped it; nil: it ended by itself.
    let stop: StopReason?
    /// Why it could not go on; nil where it could.
    let error: MinerError?
    /// Whether a pool ever took the login.
    let hasLoggedIn: Bool
}

/// One run of a miner from start to stop, with everything that is shown of it.
struct MiningSession {
    let miner: Miner
    let log: MiningLog
    let stops: StopRequests
    var hugePages = HugePagePolicy.prefer
    /// Seconds between two hashrate lines; 0: none.
    var printSeconds = 60
    /// Seconds until it stops by itself; nil: never.
    var seconds: Double?
    /// The level of `CPUPriority` that the workers get; nil: theirs is left alone.
    var priority: Int?

    /// Mines until it is stopped or can't go on.
    func run() async -> MiningOutcome {
        let events = miner.events()
        let mining = Task { await mine() }
        let stopping = Task { () -> StopReason? in
            let reason = await stops.first()
            if reason != nil { await miner.stop() }
            return reason
        }
        let clocks = [Task { await tick() }, Task { await timeOut() }]
        let hasLoggedIn = await show(events)
        let error = await mining.value
        for clock in clocks { clock.cancel() }
        stops.close()
        let reason = await stopping.value
        await log.show(status: nil)
        return MiningOutcome(
            statistics: await miner.statistics,
            stop: reason,
            error: error,
            hasLoggedIn: hasLoggedIn
        )
    }

    private func mine() async -> MinerError? {
        do { try await miner.run() } catch { return error }
        return nil
    }

    /// Shows all events. Returns whether a pool took the login.
    private func show(_ events: AsyncStream<MinerEvent>) async -> Bool {
        var report = MiningReport(hugePages: hugePages)
        var hasLoggedIn = false
        for await event in events {
            if case .connected = event { hasLoggedIn = true }
            // Dispatch gives threads of its pool a nice value of its own where it may.
            if case .pages = event, let priority { _ = CPUPriority.apply(priority) }
            for line in report.lines(for: event) { await log.add(line) }
        }
        for line in report.end() { await log.add(line) }
        return hasLoggedIn
    }

    /// Shows the status line every second and the hashrate every `printSeconds`.
    private func tick() async {
        let step = await log.hasStatusLine ? 1 : printSeconds
        guard step > 0 else { return }
        let start = ContinuousClock.now
        var elapsed = 0
        while true {
            elapsed += step
            do { try await Task.sleep(until: start + .seconds(elapsed)) } catch { return }
            let statistics = await miner.statistics
            if printSeconds > 0, elapsed.isMultiple(of: printSeconds) {
                await log.add("\(statistics.hashrateText)")
            }
            guard !Task.isCancelled else { return }
            await log.show(status: MiningReport.status(statistics))
        }
    }

    private func timeOut() async {
        guard let seconds else { return }
        do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
        stops.request(.timeIsUp)
    }
}
