import Testing

/// Every file in Tests/Transcripts is a test.
@Suite struct TranscriptTests {
    @Test(arguments: try Transcript.allNames())
    func speaksAsTheTranscriptSays(name: String) throws {
        let transcript = try Transcript(named: name)
        var driver = try ScriptedDriver(transcript)
        #expect(!transcript.steps.isEmpty)
        for step in transcript.steps {
            let actual = try driver.run(step.event)
            let agrees =
                actual.count == step.expected.count
                && zip(actual, step.expected).allSatisfy { ActionText.matches($0, $1.text) }
            guard !agrees else { continue }
            Issue.record(
                """
                \(step.event.place): \(step.event.text)
                expected:
                \(step.expected.map(\.text).joined(separator: "\n"))
                got:
                \(actual.joined(separator: "\n"))
                """
            )
            return
        }
    }

    @Test func thereAreTranscripts() throws {
        #expect(try Transcript.allNames().count >= 40)
    }

    @Test func aTranscriptCanFail() {
        #expect(!ActionText.matches("= accepted 01000000", "= accepted 02000000"))
        #expect(!ActionText.matches("= connect after 4900 ms", "= connect after ~4s"))
        #expect(ActionText.matches("= connect after 4700 ms", "= connect after ~4s"))
        #expect(!ActionText.matches("> {\"id\":1}", "> …\"id\":2…"))
        #expect(ActionText.matches("> {\"id\":1,\"x\":2}", "> {\"id\":1,…}"))
    }
}
