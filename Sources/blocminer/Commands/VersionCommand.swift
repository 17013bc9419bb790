import BlocMiner

/// `blocminer version`: tells which build this is.
enum VersionCommand: Command {
    static let manual = CommandManual(name: "version", summary: "Show the version", defaults: ())

    /// "blocminer 0.1.0", with the commit in parentheses where it is known.
    static var line: String {
        let commit = BuildCommit.current.map { " (commit \($0))" } ?? ""
        return "blocminer \(BlocMinerVersion.current)\(commit)"
    }

    static func run(_ settings: Void, operands: [String]) async throws(CommandError) -> ExitStatus {
        try TextStream.output.printLine(line)
        return .success
    }
}
