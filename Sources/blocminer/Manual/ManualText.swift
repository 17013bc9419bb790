import BlocMiner

/// The manual page of the whole tool, for `man`, written from the commands' manuals.
struct ManualText {
    private let pages: [ManualPage]

    init(_ pages: [ManualPage]) { self.pages = pages }

    /// The page in roff's man macros, ending in a line feed.
    var text: String {
        let lines =
            [".TH BLOCMINER 1 \"\" \"blocminer \(BlocMinerVersion.current)\" \"\""] + opening
            + [".SH COMMANDS"] + pages.flatMap(Self.lines(of:)) + closing
        return lines.joined(separator: "\n") + "\n"
    }

    private var opening: [String] {
        [".SH NAME", "blocminer \\- mine and benchmark CryptoNight on CPUs"]
            + [".SH SYNOPSIS", ".B blocminer", ".I COMMAND", "[\\fIOPTIONS\\fR]", ".br", ".B blocminer"]
            + ["\\fB\\-o\\fR \\fIPOOL:PORT\\fR \\fB\\-u\\fR \\fIWALLET\\fR"]
            + [".SH DESCRIPTION"]
            + Self.paragraph(
                "blocminer mines the coins of the CryptoNight family on the processors of this machine, measures how fast "
                    + "it can, and checks its own hashes. It connects to the pool that you name and to nothing else. "
                    + "The word mine may be left out where a pool is named."
            )
    }

    private var closing: [String] {
        [".SH EXIT STATUS", ".TP", "0", "All went well.", ".TP", "1", "Something failed.", ".TP", "2"]
            + ["The command line is wrong; nothing was done."]
            + [".SH FILES", ".TP", ".I $XDG_CACHE_HOME/blocminer/tuning.json"]
            + Self.paragraph(
                "The fastest threads, lanes and path that were found, by algorithm. In $CACHE_DIRECTORY where that is set, "
                    + "else in ~/.cache/blocminer without $XDG_CACHE_HOME."
            )
            + [".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "No colours."]
            + [".SH SEE ALSO"]
            + Self.paragraph("The documents beside this program: mining.md, tuning.md, benchmarking.md, embedding.md.")
    }

    private static func lines(of page: ManualPage) -> [String] {
        let operands = page.operands.map { " \(escaped($0))" } ?? ""
        let examples = page.examples.flatMap { [".PP", ".EX", escaped($0), ".EE"] }
        return [".SS blocminer \(escaped(page.name)) [OPTIONS]\(operands)"]
            + paragraph("\(page.summary).") + page.options.flatMap(lines(of:))
            + page.notes.flatMap { [".PP"] + paragraph($0) } + examples
    }

    private static func lines(of option: OptionPage) -> [String] {
        let names = option.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
        let value = option.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
        let choices = option.choices.isEmpty ? "" : " (\(option.choices.joined(separator: ", ")))"
        return [".TP", names + value] + paragraph("\(option.summary)\(choices).")
    }

    /// Text that no line of looks like a request to roff.
    private static func paragraph(_ text: String) -> [String] {
        HelpText.wrapped(text, width: HelpText.width).map { line in
            line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + escaped(line) : escaped(line)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").unicodeScalars
            .map { $0.isASCII ? String($0) : "\\[u\(hexadecimal($0))]" }.joined()
    }

    /// A scalar's number in the four digits or more that roff wants.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
