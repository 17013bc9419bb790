import Glibc

/// The command line: what the arguments ask for is done, and the exit status tells how that went.
@main
struct BlocMinerTool {
    static func main() async {
        StandardDescriptors.reserve()
        // A closed pipe shows as a failed write, which every command deals with.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) async -> ExitStatus {
        do {
            switch try Invocation(arguments) {
            case .nothing:
                TextStream.diagnostics.note(OverviewText(CommandList.pages).text)
                return .usage
            case .command(let command, let arguments): return try await command.start(arguments)
            }
        } catch {
            if let message = error.message { TextStream.diagnostics.note("blocminer: \(message)") }
            return error.status
        }
    }
}
