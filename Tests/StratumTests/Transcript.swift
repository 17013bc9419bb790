import FoundationEssentials

/// A scripted conversation, as Tests/Transcripts/README.md describes it.
struct Transcript {
    struct Line {
        /// Where it stands, for messages.
        let place: String
        let text: String
    }

    /// An event with all that must come of it, in order.
    struct Step {
        let event: Line
        var expected: [Line] = []
    }

    let settings: [Line]
    let steps: [Step]

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Transcripts")

    /// The names of all transcripts, without their extension.
    static func allNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }

    init(named name: String) throws {
        var settings: [Line] = []
        var steps: [Step] = []
        var names: [(name: String, text: String)] = []
        for line in try Self.lines(of: "\(name).txt") {
            let text = names.reduce(line.text) { $0.replacing($1.name, with: $1.text) }
            let resolved = Line(place: line.place, text: text)
            if text.hasPrefix("let ") {
                let words = text.split(separator: " ", maxSplits: 2)
                names.append((name: "$" + words[1], text: String(words[2])))
            } else if text.hasPrefix("set ") {
                settings.append(resolved)
            } else if text.hasPrefix(">") || text.hasPrefix("=") {
                guard !steps.isEmpty else { throw TranscriptError(line: resolved, problem: "comes before any event") }
                steps[steps.count - 1].expected.append(resolved)
            } else {
                steps.append(Step(event: resolved))
            }
        }
        self.settings = settings
        self.steps = steps
    }

    /// The lines of a file and of those that it includes, without comments and empty lines.
    private static func lines(of file: String) throws -> [Line] {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        var lines: [Line] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("include ") {
                lines += try self.lines(of: String(line.dropFirst(8)))
            } else {
                lines.append(Line(place: "\(file):\(index + 1)", text: String(line)))
            }
        }
        return lines
    }
}

struct TranscriptError: Error, CustomStringConvertible {
    let line: Transcript.Line
    let problem: String

    var description: String { "\(line.place): \(problem): \(line.text)" }
}
