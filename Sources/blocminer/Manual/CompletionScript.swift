/// A shell that can complete a command line.
enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}

/// What a shell reads to complete the arguments of `blocminer`, written from the commands' manuals.
struct CompletionScript {
    private let pages: [ManualPage]

    init(_ pages: [ManualPage]) { self.pages = pages }

    /// The whole script for `shell`, ending in a line feed.
    func text(for shell: CompletionShell) -> String {
        let lines =
            switch shell {
            case .bash: bash
            case .zsh: zsh
            case .fish: fish
            }
        return lines.joined(separator: "\n") + "\n"
    }

    private var commands: [String] { pages.map(\.name) }

    /// Every word that may follow the command as an operand, where they can be listed.
    private func operands(of page: ManualPage) -> [String] {
        switch page.name {
        case HelpCommand.manual.name: commands
        case CompletionsCommand.manual.name: CompletionShell.allCases.map(\.rawValue)
        default: []
        }
    }
}

// MARK: - bash

extension CompletionScript {
    private var bash: [String] {
        ["# Completes the arguments of blocminer in bash.", "_blocminer() {"]
            + ["    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words="]
            + ["    ((COMP_CWORD > 1)) || words='\(commands.joined(separator: " "))'"]
            + ["    case ${COMP_WORDS[1]} in"] + pages.flatMap(bashCase) + ["    esac"]
            + ["    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")"]
            + ["}", "complete -o default -F _blocminer blocminer"]
    }

    /// The words that may follow in the command of `page`: values after an option that has some, else options.
    private func bashCase(_ page: ManualPage) -> [String] {
        let words = page.options.flatMap(\.names) + operands(of: page)
        let valued = page.options.filter { $0.placeholder != nil }.map { option in
            // Without choices the shell offers files.
            "        \(option.names.joined(separator: " | "))) words='\(option.choices.joined(separator: " "))' ;;"
        }
        return ["    \(page.name))", "        case $before in"] + valued
            + [
                "        *) ((COMP_CWORD == 1)) || words='\(words.joined(separator: " "))' ;;", "        esac",
                "        ;;",
            ]
    }
}

// MARK: - zsh

extension CompletionScript {
    private var zsh: [String] {
        [
            "#compdef blocminer", "# Completes the arguments of blocminer in zsh.", "_blocminer() {",
            "    local -a commands",
        ]
            + ["    commands=("] + pages.map { "        \(Self.quoted("\($0.name):\($0.summary)"))" } + ["    )"]
            + ["    if ((CURRENT == 2)); then", "        _describe command commands", "        return", "    fi"]
            + ["    local command=$words[2]", "    shift words", "    ((CURRENT -= 1))", "    case $command in"]
            + pages.flatMap(zshCase) + ["    esac", "}", "_blocminer \"$@\""]
    }

    private func zshCase(_ page: ManualPage) -> [String] {
        let options = page.options.flatMap(zshArguments)
        let words = operands(of: page)
        let rest = words.isEmpty ? "*:file:_files" : "*:word:(\(words.joined(separator: " ")))"
        return ["    \(page.name))", "        _arguments -s \\"] + options.map { "            \($0) \\" }
            + ["            \(Self.quoted(rest))", "        ;;"]
    }

    private func zshArguments(_ option: OptionPage) -> [String] {
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
        var value = ""
        if let placeholder = option.placeholder {
            let choices = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
            value = ":\(placeholder.replacing(":", with: "\\:")):\(choices)"
        }
        return option.names.map { Self.quoted("*\($0)[\(summary)]\(value)") }
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}

// MARK: - fish

extension CompletionScript {
    private var fish: [String] {
        ["# Completes the arguments of blocminer in fish."]
            + pages.map { page in
                "complete -c blocminer -n __fish_use_subcommand -f -a \(page.name) -d \(Self.fishQuoted(page.summary))"
            }
            + pages.flatMap(fishLines)
    }

    private func fishLines(_ page: ManualPage) -> [String] {
        let condition = "complete -c blocminer -n '__fish_seen_subcommand_from \(page.name)'"
        let options = page.options.map { option in
            let names = option.shortNames.map { " -s \($0)" } + option.longNames.map { " -l \($0)" }
            let choices = option.choices.isEmpty ? " -r" : " -x -a '\(option.choices.joined(separator: " "))'"
            let value = option.placeholder == nil ? "" : choices
            return condition + names.joined() + value + " -d \(Self.fishQuoted(option.summary))"
        }
        let words = operands(of: page)
        return options + (words.isEmpty ? [] : [condition + " -f -a '\(words.joined(separator: " "))'"])
    }

    private static func fishQuoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
