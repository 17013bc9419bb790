import Testing

@testable import blocminer

/// What is written from the option table besides help.
@Suite struct ManualTests {
    private static let options = CommandList.pages.flatMap { page in page.options.map { (page.name, $0) } }

    @Test(arguments: CompletionShell.allCases) func completesEveryCommandOptionAndChoice(shell: CompletionShell) {
        let script = CompletionScript(CommandList.pages).text(for: shell)
        for page in CommandList.pages { #expect(script.contains(page.name)) }
        for (command, option) in Self.options {
            for name in option.longNames {
                #expect(script.contains(shell == .fish ? "-l \(name)" : "--\(name)"), "\(command) --\(name)")
            }
            for choice in option.choices { #expect(script.contains(choice), "\(command) \(choice)") }
        }
    }

    @Test func explainsEveryOptionInTheManualPage() {
        let text = ManualText(CommandList.pages).text
        for (command, option) in Self.options {
            for name in option.names {
                #expect(text.contains("\\fB\(name.replacing("-", with: "\\-"))\\fR"), "\(command) \(name)")
            }
        }
        #expect(text.hasPrefix(".TH BLOCMINER 1 ") && text.hasSuffix("\n"))
        #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test func takesOneShellThatItKnows() async throws {
        await #expect(throws: CommandError.self) { try await CompletionsCommand.start([]) }
        await #expect(throws: CommandError.self) { try await CompletionsCommand.start(["tcsh"]) }
        await #expect(throws: CommandError.self) { try await CompletionsCommand.start(["bash", "zsh"]) }
    }
}
