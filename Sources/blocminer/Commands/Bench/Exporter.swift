import BlocMiner

/// A form in which benchmark results are written.
protocol Exporter: Sendable {
    /// The lines for one more result, with whatever has to stand before the first.
    mutating func export(_ record: BenchmarkRecord) -> [String]
}

/// The forms that there are.
enum BenchmarkFormat: String, CaseIterable, Sendable {
    case text
    case json
    case markdown

    /// A fresh exporter of this form.
    var exporter: any Exporter {
        switch self {
        case .text: TextExporter()
        case .json: JSONExporter()
        case .markdown: MarkdownExporter()
        }
    }
}

/// One JSON object a line.
struct JSONExporter: Exporter {
    func export(_ record: BenchmarkRecord) -> [String] {
        let json: JSONValue = [
            "algorithm": .text(record.algorithm),
            "path": .text(record.path),
            "threads": .integer(record.threads),
            "lanes": .integer(record.lanes),
            "pages": ["huge": .integer(record.pages.hugePages), "total": .integer(record.pages.totalPages)],
            "hashes": .unsigned(record.hashes),
            "seconds": .number(record.seconds),
            "samples": .integer(record.samples.count),
            "hashesPerSecond": [
                "median": .number(record.median), "min": .number(record.minimum), "max": .number(record.maximum),
            ],
            "perThread": .array(record.perThread.map(JSONValue.number)),
            "verified": .boolean(record.isVerified),
            "linesPerSecond": .optional(record.analysis?.linesPerSecond),
            "ticksPerIteration": .optional(record.analysis?.ticksPerIteration),
            "stages": Self.stages(record.analysis),
            "ceiling": Self.ceiling(record),
            "bound": .optional(record.analysis?.bound?.rawValue),
            "needs": Self.needs(record.analysis),
            "comparison": Self.comparison(record.comparison),
            "version": .text(record.origin.version),
            "commit": .text(record.origin.commit ?? "unknown"),
            "machine": .text(record.origin.machine),
            "date": .text(record.date.iso8601),
        ]
        return [json.line]
    }

    /// The parts of the time; null where they weren't told apart.
    private static func stages(_ analysis: LoopAnalysis?) -> JSONValue {
        guard let main = analysis?.mainShare else { return .null }
        return ["main": .number(main), "sweeps": .number(1 - main)]
    }

    private static func ceiling(_ record: BenchmarkRecord) -> JSONValue {
        guard let limits = record.limits, let best = limits.lineRate.best else { return .null }
        return [
            "linesPerSecond": .number(best.linesPerSecond), "fraction": .optional(record.analysis?.ceilingFraction),
            "form": .text("\(best.form)"), "cacheShareBytes": .optional(limits.latencies.cacheShareBytes),
        ]
    }

    private static func needs(_ analysis: LoopAnalysis?) -> JSONValue {
        guard let needs = analysis?.needs, !needs.isEmpty else { return .null }
        let members = HashrateBound.allCases.compactMap { limit in
            needs[limit].map { JSONValue.Member(name: limit.rawValue, value: .number($0)) }
        }
        return .object(members)
    }

    private static func comparison(_ comparison: RateComparison?) -> JSONValue {
        guard let comparison else { return .null }
        return [
            "earlier": [
                "median": .number(comparison.earlier.median), "min": .number(comparison.earlier.minimum),
                "max": .number(comparison.earlier.maximum),
            ],
            "change": .optional(comparison.change), "largerThanNoise": .boolean(comparison.isLargerThanNoise),
        ]
    }
}

/// A table for a README.
struct MarkdownExporter: Exporter {
    private var hasHeading = false

    mutating func export(_ record: BenchmarkRecord) -> [String] {
        let row = [
            record.algorithm, record.path, "\(record.threads) × \(record.lanes)", NumberText.rate(record.median),
            NumberText.rate(record.minimum), NumberText.rate(record.maximum),
            "\(Int((record.spread * 100).rounded())) %",
            record.perThread.map(NumberText.rate).joined(separator: " + "), record.pages.summary,
            record.isVerified ? "yes" : "**no**",
        ]
        defer { hasHeading = true }
        return (hasHeading ? [] : Self.heading(record)) + ["| \(row.joined(separator: " | ")) |"]
    }

    private static func heading(_ record: BenchmarkRecord) -> [String] {
        let machine = record.origin.machine.split(separator: "|", omittingEmptySubsequences: false)
            .joined(separator: "\\|")
        return [
            "\(machine), blocminer \(record.origin.version), commit \(record.origin.commit ?? "unknown"), "
                + record.date.iso8601,
            "",
            "| algorithm | path | threads × lanes | H/s (median) | min | max | spread | per thread | pages | verified |",
            "|---|---|---|---:|---:|---:|---:|---|---|---|",
        ]
    }
}

/// Aligned columns for a person at a terminal.
struct TextExporter: Exporter {
    private static let columns: [(title: String, width: Int, side: TextTable.Alignment)] = [
        ("algorithm", 14, .left), ("path", 9, .left), ("thr×lanes", 9, .left), ("H/s median", 10, .right),
        ("min", 9, .right), ("max", 9, .right), ("spread", 6, .right), ("verified", 8, .left), ("pages", 5, .left),
    ]

    private var hasHeading = false

    mutating func export(_ record: BenchmarkRecord) -> [String] {
        let row = [
            record.algorithm, record.path, "\(record.threads)×\(record.lanes)", NumberText.rate(record.median),
            NumberText.rate(record.minimum), NumberText.rate(record.maximum),
            "\(Int((record.spread * 100).rounded())) %", record.isVerified ? "yes" : "NO",
            record.pages.summary,
        ]
        defer { hasHeading = true }
        let heading = hasHeading ? [] : [record.origin.machine, Self.line(Self.columns.map(\.title))]
        return heading + [Self.line(row)] + Self.details(of: record).map { "    \($0)" }
    }

    private static func details(of record: BenchmarkRecord) -> [String] {
        let analysis = record.analysis.map { AnalysisText(analysis: $0, limits: record.limits).lines } ?? []
        return threads(of: record) + analysis + (record.comparison.map { ["change: \($0.words)"] } ?? [])
    }

    /// What each thread did, where there are several.
    private static func threads(of record: BenchmarkRecord) -> [String] {
        guard record.perThread.count > 1 else { return [] }
        return zip(0..., zip(record.perThread, record.perThreadRanges)).map { number, rate in
            let (median, range) = rate
            let ends = "\(NumberText.rate(range.lowerBound)) to \(NumberText.rate(range.upperBound))"
            return "thread \(number): \(NumberText.hashrate(median)), \(ends)"
        }
    }

    private static func line(_ cells: [String]) -> String {
        zip(columns, cells).map { TextTable.padded($1, to: $0.width, $0.side) }.joined(separator: "  ")
    }
}
