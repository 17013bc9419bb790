import BlocMiner

/// `blocminer demo`: mines for a pool of its own, through a real socket.
enum DemoCommand: Command {
    struct Settings: HashingSettings {
        var limits = HashingLimits()
        var variant: HashVariant?
        var seconds = 20.0
        var allowsColor = true
    }

    static let manual = CommandManual(
        name: "demo",
        summary: "Mine for a built-in pool that checks every share",
        options: [
            .value("-a --algo", .algorithm, "Algorithm to mine; default \(DefaultAlgorithm.words)") { $0.variant = $1 },
            .value("--seconds", .seconds(1...86_400), "How long to mine; default 20") { $0.seconds = $1 },
        ] + CommandOption.hashing + [.flag("--no-color", "No colours") { $0.allowsColor = false }],
        notes: [
            "The pool listens on 127.0.0.1 inside this process and hashes every share again. The exit status is 1 when "
                + "it refused a share, or found none to verify."
        ],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        let variant = try DefaultAlgorithm.variant(unless: settings.variant)
        let stops = StopRequests()
        let log: MiningLog
        do {
            log = try MiningLog(screen: Screen(allowsColor: settings.allowsColor)) { stops.request(.outputClosed) }
        } catch { throw .failure(error.description) }
        let signals = SignalWatch { stops.request(.signal) }
        let (pool, miner) = try start(variant, settings.limits)
        defer { pool.stop() }
        await log.add(
            "mining \(variant.name, .strong) for a pool on loopback, \(DurationText.text(.seconds(settings.seconds))) long"
        )
        let session = MiningSession(
            miner: miner,
            log: log,
            stops: stops,
            hugePages: settings.limits.hugePages,
            printSeconds: 10,
            seconds: settings.seconds
        )
        let outcome = await session.run()
        withExtendedLifetime(signals) {}
        for line in MiningSummary(statistics: outcome.statistics).lines { await log.add(line) }
        if let failure = MiningVerdict(outcome).failure { throw failure }
        let verdict = DemoVerdict(verified: pool.verdicts.verified, refused: pool.verdicts.refused)
        await log.add(verdict.line)
        return verdict.isGood ? .success : .failure
    }

    private static func start(_ variant: HashVariant, _ limits: HashingLimits) throws(CommandError) -> (DemoPool, Miner)
    {
        do {
            let pool = try DemoPool(algorithm: variant.algorithm)
            let login = try pool.start()
            let configuration = MinerConfiguration(
                pools: [login],
                coin: Coin.unspecified.name,
                limits: limits
            )
            return (pool, try Miner(configuration))
        } catch { throw CommandError(error, command: manual.name) }
    }
}

/// What the built-in pool thought of the shares.
struct DemoVerdict {
    let verified: Int
    let refused: Int

    /// Whether shares were verified and none refused.
    var isGood: Bool { verified > 0 && refused == 0 }

    /// The verdict in words.
    var line: StyledText {
        let counts = "\(verified) verified, \(refused) refused"
        let verdict: StyledText = isGood ? "\("demo passed:", .good)" : "\("demo failed:", .bad)"
        return "\(verdict) the pool hashed every share again: \(counts)"
    }
}
