/// What there is to know of an option without its command's settings.
struct OptionPage: Sendable, Hashable {
    /// Names of one letter, without their dash.
    let shortNames: [Character]
    /// Names of several letters, without their dashes; the first is the usual one.
    let longNames: [String]
    /// Stands for the value; nil: the option takes none.
    let placeholder: String?
    /// Every value there is, where they can be listed.
    let choices: [String]
    /// What it does.
    let summary: String

    /// Every name with its dashes, the short ones first.
    var names: [String] { shortNames.map { "-\($0)" } + longNames.map { "--\($0)" } }

    /// `names` holds every name with its dashes, separated by blanks.
    init(
        _ names: String,
        placeholder: String? = nil,
        choices: [String] = [],
        _ summary: String
    ) {
        let names = names.split(separator: " ")
        shortNames = names.filter { !$0.hasPrefix("--") }.compactMap(\.last)
        longNames = names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        self.placeholder = placeholder
        self.choices = choices
        self.summary = summary
    }
}

/// One option of a command: the single source of how it is parsed, explained and completed.
struct CommandOption<Settings>: Sendable {
    /// Its names, its value and what it does.
    let page: OptionPage
    /// Puts a value that was given into the settings; the value of an option that takes none is empty.
    let apply: @Sendable (inout Settings, String) throws(ValueRefusal) -> Void

    /// An option with a value of `format`.
    static func value<Value>(
        _ names: String,
        _ format: ValueFormat<Value>,
        _ summary: String,
        set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> CommandOption {
        let page = OptionPage(
            names,
            placeholder: format.placeholder,
            choices: format.choices,
            summary
        )
        return CommandOption(page: page) { (settings, text) throws(ValueRefusal) in
            set(&settings, try format.read(text))
        }
    }

    /// An option without a value.
    static func flag(
        _ names: String,
        _ summary: String,
        set: @escaping @Sendable (inout Settings) -> Void
    ) -> CommandOption {
        CommandOption(page: OptionPage(names, summary)) { settings, _ in set(&settings) }
    }
}
