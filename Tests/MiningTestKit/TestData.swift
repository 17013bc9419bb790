public import FoundationEssentials
import MiningWork

/// A folder of files that tests read, found beside the test sources.
public struct TestData: Sendable {
    /// Known answers.
    public static let vectors = TestData(folder: "Vectors")
    /// Recorded conversations with pools.
    public static let transcripts = TestData(folder: "Transcripts")
    /// Machine descriptions of hwloc.
    public static let topologies = TestData(folder: "Topologies")

    private let folder: String

    /// The absolute path of the file `name`.
    public func path(of name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }

    /// The whole file.
    public func data(of name: String) throws -> Data { try Data(contentsOf: directory.appending(path: name)) }

    /// The file as text.
    public func text(of name: String) throws -> String { String(decoding: try data(of: name), as: UTF8.self) }

    /// The file's lines that aren't empty.
    public func lines(of name: String) throws -> [String] {
        try text(of: name).split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The JSON file as a value of `type`.
    public func json<Value: Decodable>(_ type: Value.Type, of name: String) throws -> Value {
        try JSONDecoder().decode(type, from: data(of: name))
    }

    /// Names of the files in the folder, sorted; with `suffix`, only those that end so.
    public func names(withSuffix suffix: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))
            .filter { $0.hasSuffix(suffix) }
            .sorted()
    }

    private var directory: URL {
        URL(filePath: #filePath)
            .deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: folder, directoryHint: .isDirectory)
    }
}
