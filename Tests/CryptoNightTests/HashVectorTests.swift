import CryptoNight
import MiningTestKit
import MiningWork
import Testing

@Suite struct HashVectorTests {
    /// A variant on a path.
    struct Form: Sendable, CustomTestStringConvertible {
        let variant: HashVariant
        let path: InstructionSet
        var testDescription: String { "\(variant.name) on \(path.name)" }
    }

    static let forms = HashVariant.all.flatMap { variant in
        InstructionSet.supported.map { Form(variant: variant, path: $0) }
    }

    @Test(arguments: forms)
    func computesEveryVectorWithFourLanes(form: Form) throws {
        var workspace = try HashWorkspace(HashKernel(variant: form.variant, path: form.path, lanes: 4))
        let vectors = try HashVector.all(of: form.variant.name)
        for (height, group) in Dictionary(grouping: vectors, by: \.height) {
            for start in stride(from: 0, to: group.count, by: 4) {
                let batch = Array(group[start..<min(start + 4, group.count)])
                let digests = try workspace.hash(batch.map(\.input), height: height)
                #expect(digests == batch.map(\.digest))
            }
        }
    }

    @Test(arguments: forms, [1, 2, 3, 7])
    func passesItsSelfTest(form: Form, lanes: Int) throws {
        var workspace = try HashWorkspace(HashKernel(variant: form.variant, path: form.path, lanes: lanes))
        let compared = try workspace.selfTest()
        #expect(compared == lanes)
    }

    @Test func hashesInputsOfOneByteAndOfTenThousand() throws {
        for name in ["cn/0", "cn-pico"] {
            let variant = try #require(HashVariant(named: name))
            let inputs = [[7], [UInt8](repeating: 9, count: 10_000)]
            let digests = try InstructionSet.supported.map { path in
                var workspace = try HashWorkspace(HashKernel(variant: variant, path: path, lanes: 2))
                let digests = try workspace.hash(inputs)
                return try #require(digests)
            }
            #expect(Set(digests).count == 1)
            #expect(digests[0][0] != digests[0][1])
        }
    }

    @Test func refusesInputsShorterThanTheTweakNeeds() throws {
        for variant in HashVariant.all where variant.algorithm.minimumBlobBytes > 1 {
            var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
            let error = HashError.inputLength(bytes: 42, minimum: 43, variant: variant.name)
            let refusal = refusal(of: [[UInt8](repeating: 1, count: 42)], in: &workspace)
            #expect(refusal == error)
        }
    }

    @Test func refusesAnEmptyInputAndTooManyInputs() throws {
        let variant = try #require(HashVariant(named: "cn-pico"))
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 2))
        let empty = refusal(of: [[]], in: &workspace)
        #expect(empty == .inputLength(bytes: 0, minimum: 1, variant: "cn-pico"))
        let three = refusal(of: [[1], [2], [3]], in: &workspace)
        #expect(three == .inputCount(3, lanes: 2))
        let none = refusal(of: [], in: &workspace)
        #expect(none == .inputCount(0, lanes: 2))
    }

    @Test func refusesToHashWithoutAHeightWhereOneIsNeeded() throws {
        let variant = try #require(HashVariant(named: "cn/r"))
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
        let refusal = refusal(of: [[1]], in: &workspace)
        #expect(refusal == .missingHeight(variant: "cn/r"))
    }

    /// Why `inputs` aren't hashed; nil where they are.
    private func refusal(of inputs: [[UInt8]], in workspace: inout HashWorkspace) -> HashError? {
        do throws(HashError) {
            _ = try workspace.hash(inputs)
            return nil
        } catch {
            return error
        }
    }

    @Test func findsTheSharesOfAJobAmongItsNonces() throws {
        let variant = try #require(HashVariant(named: "cn/upx2"))
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 4))
        let target = try Target(compact: "ffffff7f")
        let job = try Job(
            id: "1",
            session: 1,
            blob: [UInt8](repeating: 0, count: 76),
            target: target,
            algorithm: variant.algorithm
        )
        let nonces = (0..<4).map { Nonce($0) }
        let isStarted = try workspace.start(job, nonces: nonces)
        #expect(isStarted)
        let found = try workspace.finish()
        let hashed = try workspace.hash(nonces.map(job.blob(with:)))
        let shares = try #require(found).shares
        let digests = try #require(hashed)
        let expected = zip(nonces, digests).filter { target.isMet(by: $0.1) }
        #expect(shares.map(\.nonce) == expected.map(\.0))
        #expect(shares.map(\.digest) == expected.map(\.1))
        #expect(!shares.isEmpty && shares.count < 4)
    }
}
