import CryptoNight
import MiningTestKit
import MiningWork
import Testing

@Suite struct FlightTests {
    @Test(arguments: HashVectorTests.forms)
    func returnsTheDigestsOfTheBatchBefore(form: HashVectorTests.Form) throws {
        var workspace = try HashWorkspace(HashKernel(variant: form.variant, path: form.path, lanes: 3))
        let batches = try batches(of: form.variant, sizes: [3, 1, 3, 2])
        var digests: [[Digest]] = []
        let isStarted = try workspace.start(batches[0].map(\.input), height: batches[0][0].height)
        #expect(isStarted)
        for batch in batches.dropFirst() {
            let hashed = try workspace.next(batch.map(\.input), height: batch[0].height)
            digests.append(try #require(hashed).digests)
        }
        let last = try workspace.finish()
        digests.append(try #require(last).digests)
        #expect(digests == batches.map { $0.map(\.digest) })
        let nothing = try workspace.finish()
        #expect(nothing == nil)
    }

    /// Batches of so many vectors each, one height to a batch, different from one to the next.
    private func batches(of variant: HashVariant, sizes: [Int]) throws -> [[HashVector]] {
        let vectors = try HashVector.all(of: variant.name)
        return sizes.enumerated().map { number, size in
            let first = vectors[number % vectors.count]
            let alike = vectors.filter { $0.height == first.height }
            let place = alike.firstIndex { $0.input == first.input } ?? 0
            return (0..<size).map { alike[(place + $0) % alike.count] }
        }
    }

    @Test(arguments: HashVectorTests.forms)
    func startsAgainAfterItWasAbandoned(form: HashVectorTests.Form) throws {
        let signal = WorkSignal()
        var workspace = try HashWorkspace(HashKernel(variant: form.variant, path: form.path, lanes: 2))
        let answers = KnownAnswer.all.filter { $0.variant == form.variant }
        let inputs = [answers[0].input], height = answers[0].height
        let watch = WorkWatch(signal, count: signal.count)
        let isStarted = try workspace.start(inputs, height: height, watching: watch)
        #expect(isStarted)
        signal.advance()
        let abandoned = try workspace.next(inputs, height: height, watching: watch)
        #expect(abandoned == nil)
        let nothing = try workspace.next(inputs, height: height)
        #expect(nothing == nil)
        let isRefused = try !workspace.start(inputs, height: height, watching: watch)
        #expect(isRefused)
        let isStartedAgain = try workspace.start(inputs, height: height)
        #expect(isStartedAgain)
        let digests = try workspace.finish()?.digests
        #expect(digests == [answers[0].digest])
    }

    @Test func losesWhatIsInFlightToAHashByItself() throws {
        let variant = try #require(HashVariant(named: "cn/upx2"))
        let answer = try #require(KnownAnswer.all.first { $0.variant == variant })
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 2))
        _ = try workspace.start([[1], [2]])
        let digests = try workspace.hash([answer.input])
        #expect(digests == [answer.digest])
        let nothing = try workspace.finish()
        #expect(nothing == nil)
    }

    @Test func keepsWhatIsInFlightWhereTheNextIsRefused() throws {
        let variant = try #require(HashVariant(named: "cn/upx2"))
        let answer = try #require(KnownAnswer.all.first { $0.variant == variant })
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 2))
        _ = try workspace.start([answer.input])
        do throws(HashError) {
            _ = try workspace.next([[]])
            Issue.record("an empty input was hashed")
        } catch {
            #expect(error == .inputLength(bytes: 0, minimum: 1, variant: "cn/upx2"))
        }
        let digests = try workspace.finish()?.digests
        #expect(digests == [answer.digest])
    }

    @Test func findsTheSharesOfTheJobThatTheNoncesWereFor() throws {
        let variant = try #require(HashVariant(named: "cn/upx2"))
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 4))
        let jobs = try ["1", "2"].map { id in
            try Job(
                id: id,
                session: 1,
                blob: [UInt8](repeating: id == "1" ? 1 : 2, count: 76),
                target: try Target(compact: "ffffffff"),
                algorithm: variant.algorithm
            )
        }
        _ = try workspace.start(jobs[0], nonces: [1, 2, 3, 4].map { Nonce($0) })
        let first = try workspace.next(jobs[1], nonces: [5, 6].map { Nonce($0) })
        let second = try workspace.finish()
        #expect(first?.shares.map(\.nonce.value) == [1, 2, 3, 4])
        #expect(first?.shares.allSatisfy { $0.job == jobs[0] } == true)
        #expect(second?.shares.map(\.nonce.value) == [5, 6])
        #expect(second?.shares.allSatisfy { $0.job == jobs[1] } == true)
    }
}
