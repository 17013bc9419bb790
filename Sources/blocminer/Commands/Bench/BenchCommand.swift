import BlocMiner

/// `blocminer bench`: measures hashrates, offline.
enum BenchCommand: Command {
    struct Settings: HashingSettings {
        var limits = HashingLimits()
        var variants: [HashVariant] = []
        var seconds = 10.0
        var format = BenchmarkFormat.text
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
        ] + CommandOption.hashing + [
            .value("--seconds", .seconds(1...86_400), "Least time to measure each algorithm; default 10") {
                $0.seconds = $1
            },
            .value("--format", .choice("F"), "How to write the results; default text") { $0.format = $1 },
        ],
        notes: [
            "A known answer is computed on every thread in the same run. The exit status is 1 when one was wrong or an "
                + "algorithm could not be measured. As JSON each algorithm is one object in a line of its own."
        ],
        examples: ["blocminer bench", "blocminer bench --algo all --seconds 5 --format json"],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        let variants = settings.variants.isEmpty ? [try DefaultAlgorithm.variant()] : settings.variants
        if settings.variants.isEmpty {
            TextStream.diagnostics.note("measuring \(DefaultAlgorithm.words); --algo names another one, or all")
        }
        let origin = BenchmarkOrigin.current
        var exporter = settings.format.exporter
        var status = ExitStatus.success
        for (index, variant) in variants.enumerated() {
            let title = "\(variant.name) (\(index + 1) of \(variants.count))"
            guard let report = try await measure(variant, title, settings) else {
                status = .failure
                continue
            }
            for note in report.notes { TextStream.diagnostics.note("\(variant.name): \(note)") }
            let record = BenchmarkRecord(report, origin: origin, date: .now)
            for line in exporter.export(record) { try TextStream.output.printLine(line) }
            if !report.isVerified { status = .failure }
        }
        return status
    }

    /// Measures one algorithm; nil, after a message, where that failed.
    private static func measure(
        _ variant: HashVariant,
        _ title: String,
        _ settings: Settings
    ) async throws(CommandError) -> HashrateReport? {
        let bar = ProgressBar(title)
        let benchmark = HashrateBenchmark(
            HashrateBenchmark.Configuration(variant: variant, limits: settings.limits, seconds: settings.seconds)
        )
        defer { bar.clear() }
        do {
            return try await benchmark.run { bar.show($0) }
        } catch {
            guard case .failure(let text) = error else { throw CommandError(error, command: manual.name) }
            bar.clear()
            TextStream.diagnostics.note("blocminer: \(variant.name): \(text)")
            return nil
        }
    }
}
