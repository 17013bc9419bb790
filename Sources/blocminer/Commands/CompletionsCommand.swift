/// `blocminer completions`: prints what a shell needs to complete command lines.
enum CompletionsCommand: Command {
    static let manual = CommandManual(
        name: "completions",
        summary: "Print what a shell reads to complete command lines",
        operands: CompletionShell.allCases.map(\.rawValue).joined(separator: "|"),
        notes: [
            "bash reads it from a file such as ~/.local/share/bash-completion/completions/blocminer, fish from "
                + "~/.config/fish/completions/blocminer.fish, zsh from a file _blocminer in a folder of its fpath."
        ],
        examples: ["source <(blocminer completions bash)"],
        defaults: ()
    )

    static func run(_ settings: Void, operands: [String]) async throws(CommandError) -> ExitStatus {
        let known = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
        guard operands.count == 1, let shell = operands.first.flatMap(CompletionShell.init) else {
            throw .usage("name one shell: \(known)", command: manual.name)
        }
        try TextStream.output.printText(CompletionScript(CommandList.pages).text(for: shell))
        return .success
    }
}

/// `blocminer manual`: prints the manual page.
enum ManualCommand: Command {
    static let manual = CommandManual(
        name: "manual",
        summary: "Print the manual page, for man",
        examples: ["blocminer manual | man -l -"],
        defaults: ()
    )

    static func run(_ settings: Void, operands: [String]) async throws(CommandError) -> ExitStatus {
        try TextStream.output.printText(ManualText(CommandList.pages).text)
        return .success
    }
}
