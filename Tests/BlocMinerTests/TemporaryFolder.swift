import FoundationEssentials

/// A folder of its own for `body`, removed afterwards.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "blocminer-test-\(UInt64.random(in: 0 ... .max))"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}

func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
}
