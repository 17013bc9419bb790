import Dispatch

/// Where a miner's lines go: the screen and perhaps a file.
///
/// Runs on a queue of its own, so that a terminal that was stopped, or a reader that is slow, holds up nothing else.
actor MiningLog {
    private let executor = QueueExecutor(label: "blocminer.log")
    private var screen: Screen
    private var file: LogFile?
    private var isFileAtFault = false
    private var isScreenAtFault = false
    private let outputClosed: @Sendable () -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A log on `screen` and in the file at `path`. `outputClosed` is called when nobody reads the screen any more.
    init(
        screen: Screen,
        file path: String? = nil,
        outputClosed: @escaping @Sendable () -> Void
    ) throws(LogFileError) {
        self.screen = screen
        self.outputClosed = outputClosed
        file = if let path { try LogFile(path: path) } else { nil }
    }

    /// Whether a status line is shown.
    var hasStatusLine: Bool { screen.hasStatusLine }

    /// Adds a line.
    func add(_ line: StyledText, at time: WallTime = .now) {
        onScreen { screen throws(StreamError) in try screen.add(line, at: time) }
        addToFile(line, at: time)
    }

    /// Adds a line to the file alone.
    func addToFile(_ line: StyledText) { addToFile(line, at: .now) }

    /// Adds a line to the screen alone, without a time. It must get there, unlike all others.
    func addRaw(_ line: String) throws(StreamError) { try screen.addRaw(line) }

    /// Shows `status` below all lines, or nothing.
    func show(status: StyledText?) {
        onScreen { screen throws(StreamError) in try screen.show(status: status) }
    }

    /// Opens the file again by its name, for whoever has moved it away.
    func reopenFile() {
        guard let path = file?.path else { return }
        do {
            file = try LogFile(path: path)
            isFileAtFault = false
            add("log file opened again")
        } catch {
            add("\("the log file was kept:", .caution) \(error)")
        }
    }

    private func onScreen(_ write: (inout Screen) throws(StreamError) -> Void) {
        guard !isScreenAtFault else { return }
        do {
            try write(&screen)
        } catch {
            // A full disk behind standard output ends the log; it is no reason to end the mining.
            guard error.isWithoutReader else { return }
            isScreenAtFault = true
            outputClosed()
        }
    }

    private func addToFile(_ line: StyledText, at time: WallTime) {
        guard file != nil else { return }
        do {
            try file?.add("\(time.dateAndTime) \(line.plain)")
            isFileAtFault = false
        } catch {
            let isNews = !isFileAtFault
            isFileAtFault = true
            guard isNews else { return }
            onScreen { screen throws(StreamError) in
                try screen.add("\("the log file can't be written:", .caution) \(error)", at: time)
            }
        }
    }
}

/// Runs an actor's work on a Dispatch queue.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
