import BlocMiner

/// How a command writes its result.
enum ReportFormat: String, CaseIterable, Sendable {
    case text
    case json
}

/// `blocminer algorithms`: lists what can be hashed.
enum AlgorithmsCommand: Command {
    struct Settings: Sendable {
        var format = ReportFormat.text
    }

    static let manual = CommandManual(
        name: "algorithms",
        summary: "List the algorithms, their names and what they need",
        options: [.value("--format", .choice("F"), "How to write the list; default text") { $0.format = $1 }],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        switch settings.format {
        case .text: for line in table.lines { try TextStream.output.printLine(line) }
        case .json: try TextStream.output.printLine(json.line)
        }
        return .success
    }

    static var table: TextTable {
        var table = TextTable([
            ("algorithm", .left), ("scratchpad", .right), ("iterations", .right), ("height", .left), ("aliases", .left),
        ])
        for variant in HashVariant.all {
            table.add([
                variant.name,
                NumberText.bytes(variant.scratchpadBytes),
                "\(variant.iterations)",
                variant.algorithm.needsHeight ? "needed" : "",
                variant.algorithm.aliases.joined(separator: " "),
            ])
        }
        return table
    }

    static var json: JSONValue {
        .array(
            HashVariant.all.map { variant in
                [
                    "name": .text(variant.name),
                    "aliases": .array(variant.algorithm.aliases.map(JSONValue.text)),
                    "scratchpadBytes": .integer(variant.scratchpadBytes),
                    "iterations": .integer(variant.iterations),
                    "needsHeight": .boolean(variant.algorithm.needsHeight),
                    "minimumInputBytes": .integer(variant.algorithm.minimumBlobBytes),
                ]
            }
        )
    }
}
