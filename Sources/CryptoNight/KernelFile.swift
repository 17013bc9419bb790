internal import Glibc

/// Small text files of /proc and /sys.
package enum KernelFile {
    /// The file's text, up to `limit` bytes; nil when it can't be read.
    package static func text(_ path: String, limit: Int = 1 << 20) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while bytes.count < limit {
            let count = read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decimal number that the file holds.
    package static func number(_ path: String) -> Int? {
        text(path, limit: 64).flatMap { Int($0.split(whereSeparator: \.isWhitespace).first ?? "") }
    }
}
