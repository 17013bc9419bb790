import BlocMiner

/// Settings of a command that hashes on many threads.
protocol HashingSettings: Sendable {
    /// How the machine is used.
    var limits: HashingLimits { get set }
}

extension CommandOption where Settings: HashingSettings {
    /// What decides on the threads.
    static var placement: [CommandOption] {
        [
            .value(
                "-t --threads",
                .integer(1...ThreadLimits.poolThreads, because: "libdispatch's pool of threads allows no more"),
                "Worker threads; default as many as have room in the caches"
            ) { $0.limits.threads = $1 },
            .value("--affinity", .affinity, "Processing units to run on, a thread each, as in 0,2-5") {
                $0.limits.affinity = $1
            },
            .value("--lanes", .integer(HashKernel.laneRange), "Hashes in flight on each thread") {
                $0.limits.lanes = $1
            },
        ]
    }

    /// What decides on the threads, the kernels and the memory.
    static var hashing: [CommandOption] {
        placement + [
            .value("--path", .path, "Instructions to hash with; default the best that this CPU runs") {
                $0.limits.path = $1
            },
            .value("--huge-pages", .choice("MODE"), "Whether scratchpads lie on pages of 2 MiB; default prefer") {
                $0.limits.hugePages = $1
            },
            .flag("--no-huge-pages", "The same as --huge-pages off") { $0.limits.hugePages = .off },
        ]
    }

    /// What bounds a search for the fastest form of work.
    static var tuning: [CommandOption] {
        [
            .value(
                "--memory",
                .bytes,
                "Memory for all scratchpads while tuning, as in 512M or 2G; default a quarter of what is free"
            ) {
                $0.limits.memoryBytes = $1
            }
        ]
    }
}

extension TuningPolicy {
    /// Tuning whose results are kept in the user's cache, where there is one.
    static var cached: TuningPolicy { TuningPolicy(cache: TuningCache(environment: ProcessEnvironment.variables)) }
}

/// What is hashed where nothing else is asked for: BLOC's algorithm.
enum DefaultAlgorithm {
    /// How help names it.
    static let words = "bloc, which is cn-heavy/xhv"

    /// `chosen`, or the default where nothing was.
    static func variant(unless chosen: HashVariant? = nil) throws(CommandError) -> HashVariant {
        if let chosen { return chosen }
        guard let variant = Coin.bloc.algorithmName.flatMap(HashVariant.init(named:)) else {
            throw .failure("this build cannot hash for \(Coin.bloc.name); name an algorithm with --algo")
        }
        return variant
    }
}
