/// `blocminer help`: explains the tool or one of its commands.
enum HelpCommand: Command {
    static let manual = CommandManual(
        name: "help",
        summary: "Explain all commands, or one",
        operands: "[COMMAND]",
        defaults: ()
    )

    static func run(_ settings: Void, operands: [String]) async throws(CommandError) -> ExitStatus {
        guard operands.count < 2 else { throw .usage("one command can be explained at a time", command: "help") }
        try TextStream.output.printText(try text(for: operands.first))
        return .success
    }

    private static func text(for name: String?) throws(CommandError) -> String {
        guard let name else { return OverviewText(CommandList.pages).text }
        return HelpText(try CommandList.command(named: name).page).text
    }
}
