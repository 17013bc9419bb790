import Glibc

/// Reads lines from a file descriptor, a window of them at a time, in bounded memory.
struct LineReader {
    /// The longest line, in bytes.
    static let longestLine = 1 << 20
    /// Where a window ends, in lines and in bytes.
    static let windowLines = 256
    static let windowBytes = 4 << 20

    /// A line as it came in, without its line feed.
    enum Line: Hashable {
        case text([UInt8])
        /// Longer than `longestLine`; its bytes are gone.
        case oversized
    }

    private let descriptor: Int32
    private var unread: ArraySlice<UInt8> = []
    private var partial: [UInt8] = []
    private var isOversized = false
    private var isAtEnd = false

    /// Reads `descriptor`, standard input by default.
    init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    /// The next lines: waits for one, then takes what is there. Empty at the end.
    mutating func nextWindow() throws(StreamError) -> [Line] {
        var lines: [Line] = []
        var bytes = 0
        while lines.count < Self.windowLines, bytes < Self.windowBytes {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                extend(by: unread[..<end])
                unread = unread[(end + 1)...]
                bytes += partial.count
                lines.append(takeLine())
                continue
            }
            extend(by: unread)
            unread = []
            if isAtEnd {
                if isOversized || !partial.isEmpty { lines.append(takeLine()) }
                break
            }
            if !lines.isEmpty, !isReadable() { break }
            try fill()
        }
        return lines
    }

    private mutating func extend(by bytes: ArraySlice<UInt8>) {
        guard !isOversized else { return }
        guard partial.count + bytes.count <= Self.longestLine else {
            isOversized = true
            partial = []
            return
        }
        partial += bytes
    }

    private mutating func takeLine() -> Line {
        defer {
            partial = []
            isOversized = false
        }
        return isOversized ? .oversized : .text(partial)
    }

    private func isReadable() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private mutating func fill() throws(StreamError) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count >= 0 {
                isAtEnd = count == 0
                unread = chunk[..<count]
                return
            }
            if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                throw StreamError(code: errno)
            }
        }
    }
}
