internal import CryptoNight
internal import MiningWork
internal import Synchronization

/// Hashes shares on the portable path, one lane at a time, keeping the memory from one share to the next.
final class PortableHash: Sendable {
    private let workspace = Mutex<HashWorkspace?>(nil)

    /// The digest of `blob`; nil if there is no such algorithm, no memory, or no height where one is needed.
    func digest(_ algorithm: Algorithm, _ blob: [UInt8], _ height: UInt64?) -> Digest? {
        guard let variant = HashVariant(algorithm) else { return nil }
        return workspace.withLock { workspace in
            if workspace?.kernel.variant != variant {
                workspace = try? HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
            }
            return (try? workspace?.hash([blob], height: height))?.flatMap(\.first)
        }
    }
}

extension LoopbackPool {
    /// A pool that verifies shares on the portable path, one at a time on a queue of its own. `onShare` hears of each
    /// judged share, one at a time.
    public convenience init(
        _ configuration: LoopbackPoolConfiguration,
        onShare: (@Sendable (JudgedShare) -> Void)? = nil
    ) {
        let portable = PortableHash()
        self.init(configuration, hash: { portable.digest($0, $1, $2) }, onShare: onShare)
    }
}
