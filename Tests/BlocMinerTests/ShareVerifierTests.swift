import CryptoNight
import Dispatch
import MiningWork
import Testing

@testable import BlocMiner

@Suite(.timeLimit(.minutes(1))) struct ShareVerifierTests {
    private func share(nonce: UInt32, isRight: Bool = true) throws -> Share {
        let variant = try quickVariant()
        let job = try job(of: variant)
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
        let digests = try workspace.hash([job.blob(with: Nonce(nonce))])
        let digest = try #require(digests?.first)
        let wrong = Digest(words: digest.words ^ SIMD4(repeating: 1))
        return Share(job: job, nonce: Nonce(nonce), digest: isRight ? digest : wrong)
    }

    private func findings(of share: Share, checking path: InstructionSet) async throws -> ShareFinding? {
        let (findings, inbox) = AsyncStream.makeStream(of: ShareFinding.self)
        let verifier = ShareVerifier(kernel: HashKernel(variant: try quickVariant(), path: path, lanes: 1)) {
            inbox.yield($0)
        }
        verifier.check(share)
        await verifier.drained(by: .now + .seconds(60))
        inbox.finish()
        var all: [ShareFinding] = []
        for await finding in findings { all.append(finding) }
        #expect(all.count == 1 && verifier.pendingCount == 0)
        return all.first
    }

    @Test(arguments: InstructionSet.supported) func passesAGoodShare(path: InstructionSet) async throws {
        let good = try share(nonce: 5)
        guard case .genuine(let passed) = try await findings(of: good, checking: path) else {
            Issue.record("not genuine")
            return
        }
        #expect(passed == good)
    }

    @Test(arguments: InstructionSet.supported) func showsBothDigestsOfABadShare(path: InstructionSet) async throws {
        let bad = try share(nonce: 6, isRight: false)
        guard case .invalid(let refused, let checked) = try await findings(of: bad, checking: path) else {
            Issue.record("not invalid")
            return
        }
        #expect(refused == bad)
        #expect(checked == (try share(nonce: 6)).digest)
    }

    @Test func makesWorkersWaitWhenSixtyFourSharesDo() async throws {
        let good = try share(nonce: 7)
        let gate = DispatchSemaphore(value: 0)
        let taken = DispatchSemaphore(value: 0)
        let verifier = ShareVerifier(kernel: HashKernel(variant: try quickVariant(), path: .portable, lanes: 1)) { _ in
            gate.wait()
        }
        DispatchQueue.global().async {
            for _ in 0..<65 {
                verifier.check(good)
                taken.signal()
            }
        }
        for _ in 0..<64 { Self.wait(taken) }
        #expect(Self.isUntouched(taken))
        for _ in 0..<65 { gate.signal() }
        Self.wait(taken)
        await verifier.drained(by: .now + .seconds(60))
        #expect(verifier.pendingCount == 0)
    }

    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    private static func isUntouched(_ semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + 0.1) == .timedOut
    }

    @Test func dropsWhatWaitsWhenItIsClosed() async throws {
        let verifier = ShareVerifier(kernel: HashKernel(variant: try quickVariant(), path: .portable, lanes: 1)) { _ in
            Issue.record("looked at a share after its end")
        }
        verifier.close()
        verifier.check(try share(nonce: 8))
        await verifier.drained(by: .now + .seconds(60))
        #expect(verifier.pendingCount == 0)
    }
}
