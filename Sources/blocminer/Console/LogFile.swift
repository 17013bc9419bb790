import Glibc

/// Why a log file can't be used.
struct LogFileError: Error, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    /// What happened and what to do.
    var description: String { "can't open the log file '\(path)': \(reason); check the path and its permissions" }
}

/// A file that lines are added to. Closed with the value.
struct LogFile: ~Copyable {
    /// Where it is.
    let path: String
    private let stream: TextStream

    /// Opens the file for appending, or makes it.
    init(path: String) throws(LogFileError) {
        // O_NONBLOCK: opening a pipe that has no reader would wait for ever. Writing may wait.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw LogFileError(path: path, reason: Self.reason(errno)) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        self.path = path
        stream = TextStream(descriptor: descriptor)
    }

    deinit { close(stream.descriptor) }

    private static func reason(_ code: Int32) -> String {
        code == ENXIO ? "it is a pipe that nobody reads" : String(cString: strerror(code))
    }

    /// Adds a line.
    func add(_ line: String) throws(StreamError) { try stream.write(line + "\n") }
}
