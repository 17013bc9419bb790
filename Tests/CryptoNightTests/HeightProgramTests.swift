import CryptoNight
import MiningTestKit
import MiningWork
import Testing

@Suite struct HeightProgramTests {
    #if os(Linux) && arch(x86_64)
        private static let usual = ProgramForm.native
    #else
        private static let usual = ProgramForm.interpreted(.noGenerator)
    #endif

    private static func variant() throws -> HashVariant { try #require(HashVariant(named: "cn/r")) }

    /// Hashes a few vectors of cn/r, each of a height of its own, and says how their programs ran.
    private static func form(path: InstructionSet, interprets: Bool) throws -> ProgramForm? {
        let kernel = HashKernel(variant: try variant(), path: path, lanes: 1)
        var workspace = try HashWorkspace(kernel, interpretsPrograms: interprets)
        #expect(workspace.programForm == nil)
        let byHeight = Dictionary(grouping: try HashVector.all(of: "cn/r"), by: \.height)
        for vector in byHeight.values.compactMap(\.first).prefix(3) {
            let digests = try workspace.hash([vector.input], height: vector.height)
            #expect(digests == [vector.digest])
        }
        return workspace.programForm
    }

    @Test(arguments: InstructionSet.supported.filter { $0 != .portable })
    func hashesNativelyAndInterpreted(path: InstructionSet) throws {
        #expect(try Self.form(path: path, interprets: false) == Self.usual)
        #expect(try Self.form(path: path, interprets: true) == .interpreted(.wanted))
    }

    @Test func interpretsOnThePortablePath() throws {
        #expect(try Self.form(path: .portable, interprets: false) == .interpreted(.portablePath))
    }

    @Test(arguments: [false, true])
    func passesItsSelfTestInBothForms(interprets: Bool) throws {
        let path = try #require(InstructionSet.supported.last)
        let kernel = HashKernel(variant: try Self.variant(), path: path, lanes: 2)
        var workspace = try HashWorkspace(kernel, interpretsPrograms: interprets)
        let compared = try workspace.selfTest()
        #expect(compared == 2)
    }

    @Test func hasNoProgramWhereTheVariantNeedsNone() throws {
        let variant = try #require(HashVariant(named: "cn/upx2"))
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
        _ = try workspace.hash([[1]], height: 7)
        #expect(workspace.programForm == nil)
    }
}
