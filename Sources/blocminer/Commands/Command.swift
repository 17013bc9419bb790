import BlocMiner

/// One of the words that may follow `blocminer`.
protocol Command: Sendable {
    /// What its options set.
    associatedtype Settings: Sendable

    /// How it is used: what arguments are parsed by and help is written from.
    static var manual: CommandManual<Settings> { get }

    /// Does what it is for.
    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus
}

extension Command {
    /// Parses `arguments` and does what they ask for.
    static func start(_ arguments: [String]) async throws(CommandError) -> ExitStatus {
        switch try ArgumentParser.parse(arguments, by: manual) {
        case .run(let settings, let operands): return try await run(settings, operands: operands)
        case .help: try TextStream.output.printText(HelpText(manual.page).text)
        case .version: try TextStream.output.printLine(VersionCommand.line)
        }
        return .success
    }
}

/// Every command, in the order of the help.
enum CommandList {
    static let all: [any Command.Type] = [
        MineCommand.self, TuneCommand.self, BenchCommand.self, DemoCommand.self, HashCommand.self,
        AlgorithmsCommand.self,
        TopologyCommand.self, SelfTestCommand.self, VersionCommand.self, CompletionsCommand.self, ManualCommand.self,
        HelpCommand.self,
    ]

    /// Their manuals.
    static var pages: [ManualPage] { all.map { $0.page } }

    /// The command called `name`.
    static func command(named name: String) throws(CommandError) -> any Command.Type {
        if let command = all.first(where: { $0.page.name == name }) { return command }
        let near = NearestNames.of(name, among: pages.map(\.name), limit: 1).first
        let shown = PeerText.printable(name, limit: 40)
        throw .usage(
            "there is no command '\(shown)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
            help: "blocminer help"
        )
    }
}

extension Command {
    /// Its manual, for help.
    static var page: ManualPage { manual.page }
}
