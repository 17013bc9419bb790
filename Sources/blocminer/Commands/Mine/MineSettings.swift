import BlocMiner

/// How a summary is written for scripts.
enum SummaryFormat: String, CaseIterable, Sendable {
    case json
}

/// What the options of `blocminer mine` set.
struct MineSettings: HashingSettings {
    var limits = HashingLimits()
    private(set) var pools: [PoolSettings] = []
    private var defaults = PoolSettings()
    var coin: Coin?
    var logFile: String?
    var printSeconds = 60
    var seconds: Double?
    var summary: SummaryFormat?
    var allowsColor = true
    var priority: Int?
    var donateLevel: Int?

    /// What the options of a pool set now: those of the pool named last, or before the first, the defaults for all.
    var pool: PoolSettings {
        get { pools.last ?? defaults }
        set {
            if pools.isEmpty { defaults = newValue } else { pools[pools.count - 1] = newValue }
        }
    }

    /// Begins the options of one more pool.
    mutating func add(_ address: PoolAddress) {
        var pool = defaults
        pool.address = address
        pools.append(pool)
    }

    /// What the library is told. Throws where a pool or its user is missing.
    func configuration() throws(CommandError) -> MinerConfiguration {
        guard !pools.isEmpty else {
            throw .usage("a pool is needed: --pool HOST:PORT", command: MineCommand.manual.name)
        }
        var configurations: [PoolConfiguration] = []
        for pool in pools { configurations.append(try pool.configuration(isOnly: pools.count == 1)) }
        return MinerConfiguration(pools: configurations, coin: coin?.name, limits: limits, tuning: .cached)
    }
}

/// What the options that belong to one pool set.
struct PoolSettings: Sendable {
    var address: PoolAddress?
    var user: String?
    var password = "x"
    var variant: HashVariant?
    var rigID: String?
    var isNiceHash = false
    var sendsKeepalive = true
    /// Nil: as the pool's address says.
    var tls: TLSPolicy?
    var proxy: ProxyAddress?

    /// What the library is told. Throws where the address or the user is missing. `isOnly`: there is no other pool.
    func configuration(isOnly: Bool) throws(CommandError) -> PoolConfiguration {
        guard var address, let user else {
            let place =
                isOnly ? "" : ", after --pool \(address, default: "") or, for all pools, before the first --pool"
            throw .usage("a user is needed: --user WALLET\(place)", command: MineCommand.manual.name)
        }
        if tls != nil { address.usesTLS = true }
        return PoolConfiguration(
            address: address,
            user: user,
            password: password,
            algorithm: variant?.name,
            rigID: rigID,
            isNiceHash: isNiceHash,
            sendsKeepalive: sendsKeepalive,
            tls: tls ?? .systemAuthorities,
            proxy: proxy
        )
    }
}

extension CommandOption<MineSettings> {
    /// The pools and the logins.
    static let login: [CommandOption] = [
        .value(
            "-o --pool --url",
            .pool,
            "Pool to mine for, as HOST:PORT, or stratum+ssl://HOST:PORT for TLS; may be given again for pools to fall "
                + "back on"
        ) { $0.add($1) },
        .value("-u --user", .loginText("WALLET"), "Wallet address or user name at the pool") { $0.pool.user = $1 },
        .value("-p --pass", .loginText("X", mayBeEmpty: true), "Worker name or password at the pool; default x") {
            $0.pool.password = $1
        },
        .value("-O --userpass", .userPassword, "User and password in one") {
            $0.pool.user = $1.user
            $0.pool.password = $1.password
        },
        .value("--rig-id", .loginText("R"), "This machine's name at the pool") { $0.pool.rigID = $1 },
        .flag("--nicehash", "Keep the nonce's highest byte, even where the pool doesn't ask for it") {
            $0.pool.isNiceHash = true
        },
        .flag("-k --keepalive", "Send a sign of life after a minute of silence; always on") {
            $0.pool.sendsKeepalive = true
        },
        .flag("--no-keepalive", "Send no signs of life") { $0.pool.sendsKeepalive = false },
        .value("-a --algo", .algorithm, "Algorithm; default the coin's, or whatever the pool names") {
            $0.pool.variant = $1
        },
        .value("--coin", .coin, "Coin whose address and algorithm are checked; default by the address") {
            $0.coin = $1
        },
    ]

    /// How the pool is reached. Each of the options about TLS switches it on.
    static let transport: [CommandOption] = [
        .flag("--tls", "TLS; the pool's certificate must be for its host, from an authority known here") {
            $0.pool.tls = $0.pool.tls ?? .systemAuthorities
        },
        .value("--tls-ca", .authorities, "TLS; the authority must be one of those in this PEM file") {
            $0.pool.tls = .authorities($1)
        },
        .value("--tls-fingerprint", .fingerprint, "TLS; the certificate must be the one with this SHA-256") {
            $0.pool.tls = .pinned($1)
        },
        .flag("--tls-insecure", "TLS without a look at the certificate: whoever answers gets the login") {
            $0.pool.tls = .insecure
        },
        .value("-x --proxy", .proxy, "Connect through this SOCKS5 proxy, which also looks up the pool's name") {
            $0.pool.proxy = $1
        },
    ]

    /// What is shown, for how long, and how politely.
    static let display: [CommandOption] = [
        .value("-l --log-file", .text("F"), "Add every line to this file too; SIGHUP opens it again") {
            $0.logFile = $1
        },
        .value("--print-time", .integer(0...86_400, "S"), "Seconds between hashrate lines, 0 for none; default 60") {
            $0.printSeconds = $1
        },
        .value("--duration", .seconds(1...31_536_000), "Stop after so many seconds; default never") { $0.seconds = $1 },
        .value("--summary", .choice("FORMAT"), "End standard output with the figures as one object in one line") {
            $0.summary = $1
        },
        .flag("--no-color", "No colours; the variable NO_COLOR does the same") { $0.allowsColor = false },
        .value(
            "--cpu-priority",
            .integer(0...CPUPriority.niceValues.count - 1),
            "Priority from 0, idle, to 5: \(CPUPriority.words); default unchanged"
        ) { $0.priority = $1 },
        .value("--donate-level", .integer(0...100), "Taken for the sake of old scripts; it is always 0") {
            $0.donateLevel = $1
        },
    ]
}
