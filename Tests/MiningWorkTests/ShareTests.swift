import MiningWork
import Testing

@Suite struct ShareTests {
    @Test func differsByNonce() throws {
        let job = try Job(
            id: "1",
            session: 0,
            blob: [UInt8](repeating: 0, count: 76),
            target: try #require(Target(threshold: .max)),
            algorithm: Algorithm(name: "cn/0")
        )
        let digest = try #require(Digest(bytes: [UInt8](repeating: 1, count: 32)))
        let share = Share(job: job, nonce: Nonce(1), digest: digest)
        #expect(share == Share(job: job, nonce: Nonce(1), digest: digest))
        #expect(share != Share(job: job, nonce: Nonce(2), digest: digest))
    }
}
