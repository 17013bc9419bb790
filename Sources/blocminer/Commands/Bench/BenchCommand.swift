import BlocMiner

/// `blocminer bench`: measures hashrates, offline.
enum BenchCommand: Command {
    struct Settings: HashingSettings {
        var limits = HashingLimits()
        var variants: [HashVariant] = []
        var seconds = 10.0
        var format = BenchmarkFormat.text
        /// Numbers of lanes to compare; none: the plan's.
        var laneCounts: [Int] = []
        var measuresCeiling = false
        /// A file of earlier results.
        var comparedFile: String?
    }

    static let manual = CommandManual(
        name: "bench",
        summary: "Measure hashrates, offline",
        options: [
            .value(
                "-a --algo",
                .algorithms,
                "Algorithms to measure, separated by commas, or all; default \(DefaultAlgorithm.words)"
            ) { $0.variants = $1 }
        ] + CommandOption.hashing.filter { !$0.page.names.contains("--lanes") } + [
            .value(
                "--lanes",
                .integers(HashKernel.laneRange),
                "Hashes in flight on each thread; several numbers, as in 1,2,4, are measured in turns and compared"
            ) { $0.laneCounts = $1 },
            .flag("--ceiling", "Measure what memory can do too, and say which limit binds") {
                $0.measuresCeiling = true
            },
            .value("--compare", .text("FILE"), "Show the change from earlier results, written by --format json") {
                $0.comparedFile = $1
            },
            .value("--seconds", .seconds(1...86_400), "Least time to measure each configuration; default 10") {
                $0.seconds = $1
            },
            .value("--format", .choice("F"), "How to write the results; default text") { $0.format = $1 },
        ],
        notes: [
            "A known answer is computed on every thread in the same run. The exit status is 1 when one was wrong or an "
                + "algorithm could not be measured. As JSON each configuration is one object in a line of its own.",
            "Warnings on standard error say what about this machine makes figures smaller or less certain.",
        ],
        examples: [
            "blocminer bench", "blocminer bench --algo all --seconds 5 --format json", "blocminer bench --ceiling",
            "blocminer bench --lanes 1,2,4,8,16,24", "blocminer bench --compare before.jsonl",
        ],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        let variants = settings.variants.isEmpty ? [try DefaultAlgorithm.variant()] : settings.variants
        if settings.variants.isEmpty {
            TextStream.diagnostics.note("measuring \(DefaultAlgorithm.words); --algo names another one, or all")
        }
        var run = try BenchRun(settings)
        for (index, variant) in variants.enumerated() {
            try await run.measure(variant, "\(variant.name) (\(index + 1) of \(variants.count))")
        }
        return run.status
    }
}
