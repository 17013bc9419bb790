import MiningWork
import Testing

@testable import Stratum

@Suite struct SubmittedNoncesTests {
    private static func share(blob fill: UInt8, id: String = "1", nonce: UInt32) throws -> Share {
        var blob = [UInt8](repeating: fill, count: 76)
        for index in 39..<43 { blob[index] = 0 }
        let target = try #require(Target(threshold: .max))
        let job = try Job(id: id, session: 1, blob: blob, target: target, algorithm: Algorithm(name: "cn/0"))
        return Share(
            job: job,
            nonce: Nonce(nonce),
            digest: try #require(Digest(bytes: [UInt8](repeating: 0, count: 32)))
        )
    }

    @Test func knowsANonceOfTheSameBlob() throws {
        var submitted = SubmittedNonces()
        let first = try submitted.insert(Self.share(blob: 1, nonce: 5))
        let otherNonce = try submitted.insert(Self.share(blob: 1, nonce: 6))
        let otherBlob = try submitted.insert(Self.share(blob: 2, nonce: 5))
        let otherID = try submitted.insert(Self.share(blob: 1, id: "2", nonce: 5))
        #expect(first && otherNonce && otherBlob && !otherID)
    }

    @Test func forgetsTheBlobUsedLongestAgo() throws {
        var submitted = SubmittedNonces()
        for fill in UInt8(1)...8 { _ = try submitted.insert(Self.share(blob: fill, nonce: 5)) }
        let stillKnown = try submitted.insert(Self.share(blob: 1, nonce: 5))
        _ = try submitted.insert(Self.share(blob: 9, nonce: 5))
        let oneKept = try submitted.insert(Self.share(blob: 1, nonce: 5))
        let twoForgotten = try submitted.insert(Self.share(blob: 2, nonce: 5))
        #expect(!stillKnown && !oneKept && twoForgotten)
    }
}
