import BlocMiner

/// What the words after `blocminer` ask for.
enum Invocation {
    /// Nothing: the overview is shown, as an error.
    case nothing
    /// A command and its arguments.
    case command(any Command.Type, [String])

    init(_ arguments: [String]) throws(CommandError) {
        guard let first = arguments.first else {
            self = .nothing
            return
        }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "-h", "--help": self = .command(HelpCommand.self, rest)
        case "-V", "--version": self = .command(VersionCommand.self, [])
        case _ where Self.namesPool(arguments): self = .command(MineCommand.self, arguments)
        case _ where first.hasPrefix("-"): throw Self.unknown(option: first)
        default: self = .command(try CommandList.command(named: first), rest)
        }
    }

    /// Whether these are options of `mine` without the word: a pool is among them, and an option comes first.
    private static func namesPool(_ arguments: [String]) -> Bool {
        guard arguments.first?.hasPrefix("-") == true else { return false }
        return arguments.prefix { $0 != "--" }.contains { argument in
            let name = argument.prefix { $0 != "=" }
            return argument.hasPrefix("-o") || name == "--pool" || name == "--url"
        }
    }

    private static func unknown(option: String) -> CommandError {
        let name = String(option.prefix { $0 != "=" })
        let shown = PeerText.printable(name, limit: 40)
        if MineCommand.page.options.contains(where: { $0.names.contains(name) }) {
            return .usage("a command is needed before '\(shown)'; mining also needs --pool", help: "blocminer help")
        }
        let near = OptionNames.nearest(to: name, in: OptionPage.common + MineCommand.page.options)
        return .usage(
            "unknown option '\(shown)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
            help: "blocminer help"
        )
    }
}
