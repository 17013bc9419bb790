/// A command's help, written from its manual.
struct HelpText {
    /// The widest line, in characters.
    static let width = 80
    private static let summaryColumn = 28

    private let page: ManualPage

    init(_ page: ManualPage) { self.page = page }

    /// The whole help, ending in a line feed.
    var text: String {
        var lines = ["blocminer \(page.name): \(page.summary)", ""]
        lines.append("Usage: blocminer \(page.name) [OPTIONS]" + (page.operands.map { " \($0)" } ?? ""))
        lines += ["", "Options:"]
        lines += page.options.flatMap(Self.lines(of:))
        for note in page.notes { lines += [""] + Self.wrapped(note, width: Self.width) }
        if !page.examples.isEmpty { lines += ["", "Examples:"] + page.examples.map { "  \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The names in a column of their own, the summary beside or below them.
    private static func lines(of option: OptionPage) -> [String] {
        let value = option.placeholder.map { " \($0)" } ?? ""
        let names = "  " + option.names.joined(separator: ", ") + value
        let choices = option.choices.isEmpty ? "" : " (\(option.choices.joined(separator: ", ")))"
        let summary = wrapped(option.summary + choices, width: width - summaryColumn)
        let indent = String(repeating: " ", count: summaryColumn)
        guard names.count < summaryColumn - 1 else { return [names] + summary.map { indent + $0 } }
        let padding = String(repeating: " ", count: summaryColumn - names.count)
        return zip([names + padding] + Array(repeating: indent, count: summary.count), summary).map { $0 + $1 }
    }

    /// The words of `text` in lines of at most `width` characters, where they fit.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

/// The help of the whole tool: what `blocminer help` shows.
struct OverviewText {
    private let pages: [ManualPage]

    init(_ pages: [ManualPage]) { self.pages = pages }

    /// The whole text, ending in a line feed.
    var text: String {
        let column = (pages.map(\.name.count).max() ?? 0) + 4
        let commands = pages.map { page in
            "  " + page.name + String(repeating: " ", count: column - page.name.count) + page.summary
        }
        let lines =
            ["blocminer: mine and benchmark CryptoNight on CPUs", "", "Usage: blocminer COMMAND [OPTIONS]", ""]
            + ["Commands:"] + commands
            + ["", "'blocminer help COMMAND' or 'blocminer COMMAND --help' explains a command."]
            + ["The word 'mine' may be left out: blocminer -o POOL:PORT -u WALLET"]
            + ["Exit status: 0 all went well, 1 something failed, 2 the command line is wrong."]
        return lines.joined(separator: "\n") + "\n"
    }
}
