/// All that a command's user has to know: the table from which arguments are parsed and help is written.
struct CommandManual<Settings: Sendable>: Sendable {
    /// The word that names the command.
    let name: String
    /// What it does, in a line.
    let summary: String
    /// What stands for the operands in help; nil: the command takes none.
    var operands: String? = nil
    /// Its options, in the order of the help.
    var options: [CommandOption<Settings>] = []
    /// Paragraphs for the end of the help.
    var notes: [String] = []
    /// Command lines to copy.
    var examples: [String] = []
    /// What the settings are before any option.
    let defaults: Settings

    /// The manual without its settings.
    var page: ManualPage {
        ManualPage(
            name: name,
            summary: summary,
            operands: operands,
            options: options.map(\.page) + OptionPage.common,
            notes: notes,
            examples: examples
        )
    }
}

/// A command's manual without its settings: what help, completions and a manual page are made of.
struct ManualPage: Sendable {
    let name: String
    let summary: String
    let operands: String?
    let options: [OptionPage]
    let notes: [String]
    let examples: [String]
}

extension OptionPage {
    /// Shows a command's help.
    static let help = OptionPage("-h --help", "Show this help")
    /// Shows the version.
    static let version = OptionPage("-V --version", "Show the version")
    /// What every command understands.
    static let common = [help, version]
}
