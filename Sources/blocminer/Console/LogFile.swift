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
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw LogFileError(path: path, reason: String(cString: strerror(errno))) }
        self.path = path
        stream = TextStream(descriptor: descriptor)
    }

    deinit { close(stream.descriptor) }

    /// Adds a line.
    func add(_ line: String) throws(StreamError) { try stream.write(line + "\n") }
}
