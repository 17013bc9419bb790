import CryptoNight
import Testing

@Suite struct InstructionSetTests {
    @Test func alwaysHasThePortablePath() throws {
        #expect(InstructionSet.portable.isSupported)
        #expect(InstructionSet.supported.first == .portable)
        #expect(try InstructionSet(named: "Portable") == .portable)
    }

    @Test func refusesAnUnknownPathAndNamesTheOthers() {
        let error = InstructionSetError.unknown(name: "sse9", known: InstructionSet.all.map(\.name))
        #expect(throws: error) { try InstructionSet(named: "sse9") }
        #expect("\(error)".contains("portable"))
    }

    @Test func refusesAPathThatThisCPULacks() {
        for path in InstructionSet.all where !path.isSupported {
            let error = InstructionSetError.unsupported(
                name: path.name,
                supported: InstructionSet.supported.map(\.name)
            )
            #expect(throws: error) { try InstructionSet(named: path.name) }
        }
    }
}
