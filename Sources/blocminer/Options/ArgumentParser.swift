import BlocMiner

/// What a command's arguments ask for.
enum Request<Settings> {
    /// To run the command.
    case run(Settings, operands: [String])
    /// To show its help.
    case help
    /// To show the version.
    case version
}

/// Reads a command's arguments by its manual: `--opt value`, `--opt=value`, `-o value`, `-ovalue`, `-ab`, `--`.
struct ArgumentParser<Settings: Sendable> {
    private let manual: CommandManual<Settings>
    private var rest: ArraySlice<String>
    private var settings: Settings
    private var operands: [String] = []
    private var asksFor: OptionPage?

    /// What `arguments`, those after the command's name, ask for.
    static func parse(
        _ arguments: [String],
        by manual: CommandManual<Settings>
    ) throws(CommandError) -> Request<Settings> {
        var parser = ArgumentParser(manual: manual, rest: arguments[...], settings: manual.defaults)
        return try parser.run()
    }

    private init(manual: CommandManual<Settings>, rest: ArraySlice<String>, settings: Settings) {
        self.manual = manual
        self.rest = rest
        self.settings = settings
    }

    private mutating func run() throws(CommandError) -> Request<Settings> {
        while let argument = rest.popFirst() {
            if argument == "--" {
                for operand in rest { try take(operand: operand) }
                rest = []
            } else if argument.hasPrefix("--") {
                try take(longOption: argument)
            } else if argument.hasPrefix("-"), argument != "-" {
                try take(shortOptions: argument)
            } else {
                try take(operand: argument)
            }
            if asksFor == .help { return .help }
            if asksFor == .version { return .version }
        }
        return .run(settings, operands: operands)
    }

    private mutating func take(operand: String) throws(CommandError) {
        guard manual.operands != nil else {
            // A misplaced wallet must not be shown in full.
            let shown = operand.count > 16 ? SecretText.masked(operand) : PeerText.printable(operand)
            throw refusal("'\(shown)' is not expected here")
        }
        operands.append(operand)
    }

    private mutating func take(longOption argument: String) throws(CommandError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count > 1 ? String(parts[1]) : nil
        guard let page = page(named: name) else { throw unknown(name) }
        if page.placeholder == nil, attached != nil { throw refusal("option '\(name)' takes no value") }
        try apply(page, as: name, attached: attached)
    }

    /// One or more letters after a dash: options without a value, of which the last may have one.
    private mutating func take(shortOptions argument: String) throws(CommandError) {
        guard page(named: "-" + argument.prefix { $0 != "=" }) == nil else { throw unknown(argument) }
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let page = page(named: name) else { throw unknown(name) }
            guard page.placeholder == nil else {
                return try apply(page, as: name, attached: letters.isEmpty ? nil : Self.value(attached: letters))
            }
            try apply(page, as: name, attached: nil)
        }
    }

    /// What follows an option's letter: "4" of "-t4", and of "-t=4" too.
    private static func value(attached text: Substring) -> String {
        String(text.hasPrefix("=") ? text.dropFirst() : text)
    }

    private mutating func apply(_ page: OptionPage, as name: String, attached: String?) throws(CommandError) {
        guard !OptionPage.common.contains(page) else { return asksFor = page }
        guard let option = manual.options.first(where: { $0.page == page }) else { throw unknown(name) }
        let value = try value(of: page, as: name, attached: attached)
        do {
            try option.apply(&settings, value)
        } catch {
            throw refusal("option '\(name)': \(error.reason)")
        }
    }

    /// The attached value, or the next argument, unless that is one of the command's options: then it was forgotten.
    private mutating func value(
        of page: OptionPage,
        as name: String,
        attached: String?
    ) throws(CommandError) -> String {
        guard let placeholder = page.placeholder else { return "" }
        if let attached { return attached }
        let needed = "option '\(name)' needs a value: \(name) \(placeholder)"
        guard let next = rest.popFirst(), next != "--", !isOption(next) else { throw refusal(needed) }
        return next
    }

    private func isOption(_ argument: String) -> Bool {
        let name = argument.hasPrefix("--") ? String(argument.prefix { $0 != "=" }) : argument
        return page(named: name) != nil
    }

    private func page(named name: String) -> OptionPage? {
        (manual.options.map(\.page) + OptionPage.common).first { $0.names.contains(name) }
    }

    private func unknown(_ argument: String) -> CommandError {
        let name = String(argument.prefix { $0 != "=" })
        let nearest = OptionNames.nearest(to: name, in: manual.page.options)
        let shown = PeerText.printable(name, limit: 40)
        return refusal("unknown option '\(shown)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }

    private func refusal(_ text: String) -> CommandError { .usage(text, command: manual.name) }
}

/// Finds the option that a misspelt one was meant to be.
enum OptionNames {
    /// The nearest of the options' names, with its dashes; nil where none is near.
    static func nearest(to name: String, in options: [OptionPage]) -> String? {
        let word = name.drop { $0 == "-" }
        guard word.count > 1 else { return nil }
        let names = options.flatMap(\.longNames)
        let found = names.first { $0.hasPrefix(word) } ?? NearestNames.of(String(word), among: names).first
        return found.map { "--\($0)" }
    }
}
