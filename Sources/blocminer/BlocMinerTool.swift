import Dispatch
import Glibc

/// The command line: what the arguments ask for is done, and the exit status tells how that went.
@main
struct BlocMinerTool {
    /// Not asynchronous itself: under limits that are too low no task would ever begin.
    static func main() {
        // A closed pipe shows as a failed write, which every command deals with.
        signal(SIGPIPE, SIG_IGN)
        if let refusal = ProcessLimits.current.refusal { exit(report(.failure(refusal)).rawValue) }
        StandardDescriptors.reserve()
        if let refusal = ArgumentBytes.refusal { exit(report(refusal).rawValue) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        Task { exit(await run(arguments).rawValue) }
        dispatchMain()
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
            return report(error)
        }
    }

    private static func report(_ error: CommandError) -> ExitStatus {
        if let message = error.message { TextStream.diagnostics.note("blocminer: \(message)") }
        return error.status
    }
}

/// The arguments as the system passed them on, before Swift mends what is no text.
enum ArgumentBytes {
    /// What is wrong with those of this process; nil: nothing. A bad argument isn't quoted: it may be a secret.
    static var refusal: CommandError? {
        let arguments = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
        return refusal(of: arguments.dropFirst().map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) })
    }

    /// What is wrong with `arguments`.
    static func refusal(of arguments: [[CChar]]) -> CommandError? {
        let bad = arguments.firstIndex { bytes in
            String(validating: bytes.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self) == nil
        }
        return bad.map { .usage("argument \($0 + 1) is not UTF-8 text", help: "blocminer help") }
    }
}
