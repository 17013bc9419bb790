internal import MiningWork

extension Assignment {
    /// Any height does; this one is where Monero turned to cn/r.
    private static let height: UInt64 = 1_788_000

    /// A made-up job whose target one hash in eight meets, so that there are digests to check afterwards.
    static func synthetic(_ algorithm: Algorithm) throws(MinerError) -> Assignment {
        let blob = (0..<76).map { Nonce.offset..<Nonce.offset + Nonce.byteCount ~= $0 ? 0 : UInt8($0 * 3) }
        guard let difficulty = Difficulty(8) else { throw .failure("no difficulty") }
        do {
            let job = try Job(
                id: "benchmark",
                session: 0,
                blob: blob,
                target: Target(difficulty),
                algorithm: algorithm,
                height: height
            )
            return Assignment(job: job, nonces: NonceCounter())
        } catch {
            throw .failure("\(error)")
        }
    }
}
