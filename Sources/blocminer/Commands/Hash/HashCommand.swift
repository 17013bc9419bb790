import BlocMiner

/// `blocminer hash`: hashes inputs from the command line or from standard input.
enum HashCommand: Command {
    struct Settings: Sendable {
        var defaults = HashDefaults()
        var path: InstructionSet?
        var lanes = 1
    }

    static let manual = CommandManual(
        name: "hash",
        summary: "Hash hex strings, or JSON lines from standard input",
        operands: "HEX… | -",
        options: [
            .value("-a --algo", .algorithm, "Algorithm; with - it holds for lines that name none") {
                $0.defaults.variant = $1
            },
            .value("--height", .height, "Block height, which cn/r needs") { $0.defaults.height = $1 },
            .value("--path", .path, "Instructions to hash with; default the best that this CPU runs") { $0.path = $1 },
            .value("--lanes", .integer(HashKernel.laneRange), "Inputs hashed in lock step; default 1") {
                $0.lanes = $1
            },
        ],
        notes: [
            "Each input gives 64 hex digits in a line of its own, in the order of the inputs.",
            "The operand - reads an object a line from standard input: {\"algo\":\"cn/r\",\"height\":1806260,"
                + "\"input\":\"0305…\"}, of at most 1 MiB. A bad line gives an empty line, a message with its number "
                + "on standard error, and exit status 1 in the end.",
        ],
        examples: ["blocminer hash --algo cn/0 5468697320697320612074657374"],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        guard !operands.isEmpty else { throw refusal("an input is needed: hex digits, or - for standard input") }
        let desk = HashDesk(path: settings.path ?? InstructionSet.supported.last ?? .portable, lanes: settings.lanes)
        if operands == ["-"] { return try hashLines(settings.defaults, desk) }
        try hashOperands(operands, settings.defaults, desk)
        return .success
    }

    private static func hashOperands(
        _ operands: [String],
        _ defaults: HashDefaults,
        _ desk: HashDesk
    ) throws(CommandError) {
        guard let variant = defaults.variant else { throw refusal("--algo A is needed") }
        let orders: [HashOrder]
        do {
            let function = try HashFunction(variant, height: defaults.height)
            orders = try operands.map { hex throws(HashOrderError) in try HashOrder(hex, function) }
        } catch { throw refusal(error.reason) }
        try desk.work(through: orders.map { .success($0) }) { digest throws(CommandError) in
            switch digest {
            case .success(let digest): try TextStream.output.printLine(digest.hex)
            case .failure(let error): throw .failure(error.reason)
            }
        }
    }

    private static func hashLines(_ defaults: HashDefaults, _ desk: HashDesk) throws(CommandError) -> ExitStatus {
        var reader = LineReader()
        var number = 0
        var status = ExitStatus.success
        while true {
            let window = try nextWindow(of: &reader)
            guard !window.isEmpty else { return status }
            let orders = window.map { line in
                Result { () throws(HashOrderError) in try HashOrder(line: line, defaults: defaults) }
            }
            try desk.work(through: orders) { digest throws(CommandError) in
                number += 1
                if case .failure(let error) = digest {
                    status = .failure
                    TextStream.diagnostics.note("blocminer: line \(number): \(error.reason)")
                }
                try TextStream.output.printLine((try? digest.get())?.hex ?? "")
            }
        }
    }

    private static func nextWindow(of reader: inout LineReader) throws(CommandError) -> [LineReader.Line] {
        do { return try reader.nextWindow() } catch { throw .failure("standard input can't be read: \(error)") }
    }

    private static func refusal(_ text: String) -> CommandError { .usage(text, command: manual.name) }
}
