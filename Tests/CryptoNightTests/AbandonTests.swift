import CryptoNight
import Dispatch
import MiningTestKit
import MiningWork
import Testing

@Suite struct AbandonTests {
    @Test(arguments: HashVectorTests.forms)
    func givesUpWhenItsSignalHasAdvanced(form: HashVectorTests.Form) throws {
        let signal = WorkSignal()
        let watch = WorkWatch(signal, count: signal.count)
        var workspace = try HashWorkspace(HashKernel(variant: form.variant, path: form.path, lanes: 2))
        signal.advance()
        let answers = KnownAnswer.all.filter { $0.variant == form.variant }
        let digests = try workspace.hash([answers[0].input], height: answers[0].height, watching: watch)
        #expect(digests == nil)
        let isTouched = workspace.touch(watching: watch)
        #expect(!isTouched)
        #expect(!watch.isCurrent)
    }

    @Test(arguments: HashVectorTests.forms)
    func hashesRightAfterItWasInterrupted(form: HashVectorTests.Form) throws {
        let signal = WorkSignal()
        var workspace = try HashWorkspace(HashKernel(variant: form.variant, path: form.path, lanes: 3))
        let answer = try #require(KnownAnswer.all.first { $0.variant == form.variant })
        // However far it has come: the signal may advance before, during or after the hash.
        for _ in 0..<4 {
            let watch = WorkWatch(signal, count: signal.count)
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { signal.advance() }
            if let digests = try workspace.hash([answer.input], height: answer.height, watching: watch) {
                #expect(digests == [answer.digest])
            }
            group.wait()
        }
        let digests = try workspace.hash([answer.input], height: answer.height)
        #expect(digests == [answer.digest])
    }
}
