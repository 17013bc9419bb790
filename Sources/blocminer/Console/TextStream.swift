import Glibc

/// Why text could not be written.
struct StreamError: Error, Hashable, CustomStringConvertible {
    /// The system's error number.
    let code: Int32

    /// Whether the reader has gone away, which calls for no message.
    var isClosed: Bool { code == EPIPE }

    /// Whether nobody can ever read what is written: the reader went away, or there never was one.
    var isWithoutReader: Bool { code == EPIPE || code == EBADF || code == EIO }

    /// The system's words.
    var description: String { String(cString: strerror(code)) }
}

/// A file descriptor that text is written to, all of it or an error. Nothing is held back in a buffer.
struct TextStream: Sendable {
    /// Results: what scripts read.
    static let output = TextStream(descriptor: STDOUT_FILENO)
    /// Messages and progress: what people read.
    static let diagnostics = TextStream(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Whether a person looks at it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal; 80 where it doesn't tell.
    var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes all of `text`; waits for a reader that is slow.
    func write(_ text: String) throws(StreamError) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                throw StreamError(code: errno)
            }
        }
    }

    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }
}

extension TextStream {
    /// Writes a line of a command's result.
    func printLine(_ line: String) throws(CommandError) { try printText(line + "\n") }

    /// Writes a command's result as it is.
    func printText(_ text: String) throws(CommandError) {
        do {
            try write(text)
        } catch {
            throw error.isClosed ? .outputClosed : .failure("the output can't be written: \(error)")
        }
    }

    /// Writes a message. Where that fails there is nobody left to tell.
    func note(_ line: String) { try? write(line + "\n") }
}

/// Keeps files and sockets off the descriptors of standard input, output and error.
enum StandardDescriptors {
    /// Opens what the parent process left closed, in such a way that using it is an error.
    static func reserve() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
