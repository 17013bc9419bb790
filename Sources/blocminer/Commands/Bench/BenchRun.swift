import BlocMiner

/// One run of `bench`: measures what its settings name and writes it down.
struct BenchRun {
    /// How often each configuration is measured where there are several.
    static let rounds = 3
    /// Samples of each configuration in all.
    static let samples = 10

    private let settings: BenchCommand.Settings
    private let earlier: EarlierResults?
    private let origin = BenchmarkOrigin.current
    private var exporter: any Exporter
    private var latencies: (places: [ThreadPlan.Placement], table: LatencyTable)?
    private(set) var status = ExitStatus.success

    init(_ settings: BenchCommand.Settings) throws(CommandError) {
        self.settings = settings
        earlier = if let path = settings.comparedFile { try EarlierResults(path: path) } else { nil }
        exporter = settings.format.exporter
    }

    /// Measures one algorithm in every configuration that was asked for.
    mutating func measure(_ variant: HashVariant, _ title: String) async throws(CommandError) {
        let extent: HashrateBenchmark.Extent
        do throws(MinerError) { extent = try await self.extent(for: variant) } catch { return try fail(variant, error) }
        let limits = configurations
        let alternation = Alternation(of: limits.count, rounds: limits.count > 1 ? Self.rounds : 1)
        var reports = limits.map { _ in [HashrateReport]() }
        for (turn, number) in alternation.turns.enumerated() {
            let configuration = HashrateBenchmark.Configuration(
                variant: variant,
                limits: limits[number],
                seconds: alternation.secondsPerTurn(of: settings.seconds),
                minimumSamples: alternation.samplesPerTurn(of: Self.samples),
                extent: extent
            )
            let part = limits.count > 1 ? ", turn \(turn + 1) of \(alternation.turns.count)" : ""
            do throws(MinerError) {
                reports[number].append(try await Self.measure(configuration, title + part))
            } catch {
                return try fail(variant, error)
            }
        }
        try write(variant, reports.compactMap(HashrateReport.merged))
    }

    /// A configuration for each number of lanes.
    private var configurations: [HashingLimits] {
        guard !settings.laneCounts.isEmpty else { return [settings.limits] }
        return settings.laneCounts.map { lanes in
            var limits = settings.limits
            limits.lanes = lanes
            return limits
        }
    }

    private static func measure(
        _ configuration: HashrateBenchmark.Configuration,
        _ title: String
    ) async throws(MinerError) -> HashrateReport {
        let bar = ProgressBar(title)
        defer { bar.clear() }
        return try await HashrateBenchmark(configuration).run { bar.show($0) }
    }

    /// What is measured; the latencies once for each set of threads.
    private mutating func extent(for variant: HashVariant) async throws(MinerError) -> HashrateBenchmark.Extent {
        guard settings.measuresCeiling else { return .stages }
        let ceiling = try MemoryCeilingBenchmark(variant: variant, limits: settings.limits)
        if let latencies, latencies.places == ceiling.plan.threads { return .ceiling(latencies: latencies.table) }
        let table = try await ceiling.latencies()
        latencies = (ceiling.plan.threads, table)
        for line in AnalysisText.lines(of: table, threads: ceiling.plan.threads.count) {
            TextStream.diagnostics.note(line)
        }
        return .ceiling(latencies: table)
    }

    private mutating func fail(_ variant: HashVariant, _ error: MinerError) throws(CommandError) {
        guard case .failure(let text) = error else { throw CommandError(error, command: BenchCommand.manual.name) }
        TextStream.diagnostics.note("blocminer: \(variant.name): \(text)")
        status = .failure
    }

    private mutating func write(_ variant: HashVariant, _ reports: [HashrateReport]) throws(CommandError) {
        var records: [BenchmarkRecord] = []
        for report in reports {
            var record = BenchmarkRecord(report, origin: origin, date: .now)
            record.comparison = compared(record)
            for line in exporter.export(record) { try TextStream.output.printLine(line) }
            if !record.isVerified { status = .failure }
            records.append(record)
        }
        tell(variant, reports)
        guard let verdict = LanesVerdict(records: records).line else { return }
        if settings.format == .text {
            try TextStream.output.printLine(verdict)
        } else {
            TextStream.diagnostics.note(verdict)
        }
    }

    /// Notes and warnings, each once.
    private func tell(_ variant: HashVariant, _ reports: [HashrateReport]) {
        var told: Set<String> = []
        let condition = reports.dropFirst().reduce(reports.first?.condition) { $0?.worse(with: $1.condition) }
        let lines = reports.flatMap(\.notes) + (condition?.warnings ?? []).map { "warning: \($0)" }
        for line in lines where told.insert(line).inserted { TextStream.diagnostics.note("\(variant.name): \(line)") }
    }

    private func compared(_ record: BenchmarkRecord) -> RateComparison? {
        guard let earlier else { return nil }
        guard let entry = earlier[record.form] else {
            TextStream.diagnostics.note(
                "\(record.algorithm): no earlier result on \(record.path) with \(record.threads) × \(record.lanes)"
            )
            return nil
        }
        if entry.machine != record.origin.machine {
            TextStream.diagnostics.note(
                "\(record.algorithm): the earlier result is of another machine, \(entry.machine)"
            )
        }
        return RateComparison(earlier: entry.rate, later: record.rate)
    }
}
