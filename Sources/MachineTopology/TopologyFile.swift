import Glibc

/// The largest topology file read; one of 384 PUs takes 0.3 MiB.
let largestTopologyFileBytes = 16 << 20

/// The bytes of a regular file of at most 16 MiB.
func topologyFileBytes(at path: String) throws(TopologyError) -> [UInt8] {
    guard !path.isEmpty, !path.utf8.contains(0) else {
        throw .unreadableFile(path: path, reason: "not a file's path")
    }
    // O_NONBLOCK: opening a pipe that has no writer would wait for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadableFile(path: path, reason: systemReason(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadableFile(path: path, reason: systemReason(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile(path: path) }
    return try contents(of: descriptor, path: path)
}

/// Counts what it reads: the size that the file system tells may be 0 (as in /proc) or out of date.
private func contents(of descriptor: Int32, path: String) throws(TopologyError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .unreadableFile(path: path, reason: systemReason(errno)) }
        guard count > 0 else { return bytes }
        bytes += chunk.prefix(count)
        guard bytes.count <= largestTopologyFileBytes else {
            throw .oversizedFile(path: path, limitBytes: largestTopologyFileBytes)
        }
    }
}
