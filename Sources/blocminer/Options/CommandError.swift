import BlocMiner

/// How the process ends.
enum ExitStatus: Int32, Sendable {
    case success = 0
    case failure = 1
    case usage = 2
}

/// Why a command can't go on.
enum CommandError: Error, Hashable {
    /// The command line is wrong; `help` is the command line that shows how it should be.
    case usage(String, help: String)
    /// Something failed here and now.
    case failure(String)
    /// Nobody reads the output any more. There is nothing to say, nor anywhere to say it.
    case outputClosed

    /// What the library refused, as the command called `command` says it.
    init(_ error: MinerError, command: String) {
        switch error {
        case .usage(let text): self = .usage(text, command: command)
        case .failure(let text): self = .failure(text)
        }
    }

    /// A wrong command line of the command called `command`.
    static func usage(_ text: String, command: String) -> CommandError {
        .usage(text, help: "blocminer \(command) --help")
    }

    /// The exit status that tells it to scripts.
    var status: ExitStatus {
        switch self {
        case .usage: .usage
        case .failure, .outputClosed: .failure
        }
    }

    /// One line for the user; nil where there is nothing to say.
    var message: String? {
        switch self {
        case .usage(let text, let help): "\(text)\(text.hasSuffix("?") ? "" : ".") See '\(help)'"
        case .failure(let text): text
        case .outputClosed: nil
        }
    }
}
