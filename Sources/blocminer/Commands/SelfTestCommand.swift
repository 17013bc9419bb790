import BlocMiner

/// `blocminer selftest`: compares every form of the kernels with known answers.
enum SelfTestCommand: Command {
    struct Settings: Sendable {
        var variants = HashVariant.all
        var path: InstructionSet?
        var laneCounts = [1, 2, 3, 4]
    }

    static let manual = CommandManual(
        name: "selftest",
        summary: "Compare the hash kernels with known answers",
        options: [
            .value("-a --algo", .algorithms, "Algorithms to test, separated by commas; default all") {
                $0.variants = $1
            },
            .value("--path", .path, "Path to test; default every path that this CPU runs") { $0.path = $1 },
            .value("--lanes", .integers(HashKernel.laneRange), "Hashes in flight to test; default 1,2,3,4") {
                $0.laneCounts = $1
            },
        ],
        notes: ["One line for each algorithm, path and number of lanes. The exit status is 1 when any of them failed."],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        var tally = SelfTestTally()
        var refusal: CommandError?
        SelfTest.run(
            variants: settings.variants,
            paths: settings.path.map { [$0] } ?? InstructionSet.supported,
            laneCounts: settings.laneCounts
        ) { outcome in
            let line = tally.line(kernel: outcome.kernel, failure: outcome.failure)
            do throws(CommandError) { try TextStream.output.printLine(line) } catch { refusal = error }
            return refusal == nil
        }
        if let refusal { throw refusal }
        try TextStream.output.printLine(tally.summary)
        return tally.isPassed ? .success : .failure
    }
}

/// Counts what became of a self-test's forms.
struct SelfTestTally {
    private var passed = 0
    private var failed = 0

    /// Counts one form and describes it.
    mutating func line(kernel: HashKernel, failure: String?) -> String {
        if let failure {
            failed += 1
            return "FAILED  \(kernel): \(failure)"
        }
        passed += 1
        return "ok      \(kernel)"
    }

    /// Whether something was tested and nothing failed.
    var isPassed: Bool { passed > 0 && failed == 0 }

    /// The counts in words.
    var summary: String { "\(passed) passed, \(failed) failed" }
}
