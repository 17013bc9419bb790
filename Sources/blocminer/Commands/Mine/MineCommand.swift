import BlocMiner

/// `blocminer mine`: mines for a pool.
enum MineCommand: Command {
    static let manual = CommandManual(
        name: "mine",
        summary: "Mine for a pool, or for the first of several that works",
        options: CommandOption.login + CommandOption.transport + CommandOption.hashing + CommandOption.tuning
            + CommandOption.display,
        notes: [
            "SIGINT (Ctrl-C) and SIGTERM stop mining cleanly; a second one ends the process at once.",
            "Of several pools the first that works is mined for. When it fails, the next one is; once a better one has "
                + "worked for a minute, mining goes back to it.",
            "The options --user, --pass, --userpass, --rig-id, --nicehash, --keepalive, --no-keepalive, --algo, "
                + "--tls, --tls-ca, --tls-fingerprint, --tls-insecure and --proxy belong to the --pool before them. Those before the first --pool hold for all pools that have none of their own. "
                + "Where an option is given twice for a pool the last one counts.",
            "The summary has the members version, algorithm, path, threads, lanes, pages {huge, total}, hashes, "
                + "seconds, hashesPerSecond, shares {accepted, rejected, stale, invalid}, pool and difficulty.",
        ],
        examples: [
            "blocminer mine --pool pool.example.com:3333 --user WALLET",
            "blocminer mine --user WALLET --pool pool.example.com:3333 --pool other.example.com:4444 --pass rig1",
            "blocminer mine --pool 127.0.0.1:3333 --user WALLET --threads 2 --duration 60 --summary json",
        ],
        defaults: MineSettings()
    )

    static func run(_ settings: MineSettings, operands: [String]) async throws(CommandError) -> ExitStatus {
        let priorityRefusal = settings.priority.flatMap(CPUPriority.apply)
        let configuration = try settings.configuration()
        let stops = StopRequests()
        let log = try openLog(settings, stops)
        let miner: Miner
        do { miner = try Miner(configuration) } catch { throw CommandError(error, command: manual.name) }
        let reopening: @Sendable () -> Void = { Task { await log.reopenFile() } }
        let signals = SignalWatch(hangUp: settings.logFile == nil ? nil : reopening) { stops.request(.signal) }
        for line in heading(configuration, await miner.algorithms, settings) { await log.add(line) }
        if let priorityRefusal { await log.add("\("warning:", .caution) \(priorityRefusal)") }
        let session = MiningSession(
            miner: miner,
            log: log,
            stops: stops,
            hugePages: settings.limits.hugePages,
            printSeconds: settings.printSeconds,
            seconds: settings.seconds,
            priority: settings.priority
        )
        let outcome = await session.run()
        withExtendedLifetime(signals) {}
        return try await finish(outcome, log, settings)
    }

    private static func openLog(_ settings: MineSettings, _ stops: StopRequests) throws(CommandError) -> MiningLog {
        do {
            return try MiningLog(screen: Screen(allowsColor: settings.allowsColor), file: settings.logFile) {
                stops.request(.outputClosed)
            }
        } catch { throw .failure(error.description) }
    }

    /// What is known before the first connection. Secrets are shown in part.
    static func heading(
        _ configuration: MinerConfiguration,
        _ algorithms: [Algorithm?],
        _ settings: MineSettings
    ) -> [StyledText] {
        var lines: [StyledText] = ["blocminer \(BlocMinerVersion.current, .strong)"]
        for (pool, algorithm) in zip(configuration.pools, algorithms) {
            let user = SecretText.masked(pool.user)
            let algorithm = algorithm?.name ?? "as the pool says"
            lines.append("pool \(pool.address, .strong), user \(user), algorithm \(algorithm)")
            if let proxy = pool.proxy { lines.append("through the proxy \(proxy)") }
            if pool.tls == .insecure {
                lines.append("\("warning:", .caution) the pool's certificate is not looked at (--tls-insecure)")
            }
        }
        if settings.donateLevel != nil { lines.append("the donate level is 0: blocminer takes no share of the work") }
        return lines
    }

    /// Shows how it ended. The summary for scripts comes last, however it ended.
    private static func finish(
        _ outcome: MiningOutcome,
        _ log: MiningLog,
        _ settings: MineSettings
    ) async throws(CommandError) -> ExitStatus {
        let failure = MiningVerdict(outcome).failure
        if let failure, let message = failure.message { await log.addToFile("\("failed:", .bad) \(message)") }
        let summary = MiningSummary(statistics: outcome.statistics)
        for line in summary.lines { await log.add(line) }
        if settings.summary == .json { try await show(summary.json, log) }
        if let failure { throw failure }
        return .success
    }

    /// Ends standard output with the object that a script waits for.
    private static func show(_ summary: JSONValue, _ log: MiningLog) async throws(CommandError) {
        do throws(StreamError) {
            try await log.addRaw(summary.line)
        } catch {
            throw error.isWithoutReader ? .failure(unreadOutput) : .failure("the summary can't be written: \(error)")
        }
    }

    /// What to say where the log's reader has gone away.
    static let unreadOutput = "nobody reads the output any more"
}

/// Whether mining ended as it should.
struct MiningVerdict {
    /// What went wrong; nil for a good end.
    let failure: CommandError?

    init(_ outcome: MiningOutcome) {
        let pool = outcome.statistics.pool
        failure =
            switch (outcome.error, outcome.stop) {
            case (let error?, _): CommandError(error, command: MineCommand.manual.name)
            case (nil, .outputClosed): .failure(MineCommand.unreadOutput)
            case (nil, .timeIsUp) where !outcome.hasLoggedIn: .failure("no login to \(pool) in the time given")
            case (nil, nil): .failure("mining ended though nobody had stopped it")
            case (nil, _): nil
            }
    }
}
