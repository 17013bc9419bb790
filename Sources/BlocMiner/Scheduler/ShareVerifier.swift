internal import CryptoNight
internal import Dispatch
internal import MiningWork
internal import Synchronization

/// What the second look at a share found.
enum ShareFinding: Sendable {
    /// The digest is right: worth sending.
    case genuine(Share)
    /// The digest is right, and the form of the kernels that checks was wrong.
    case genuineButMischecked(Share, HashKernel)
    /// The worker's digest is wrong; `checked` is the portable path's.
    case invalid(Share, checked: Digest)
    /// It couldn't be looked at, in words.
    case unchecked(Share, String)
}

/// Hashes every share again, with another form of the kernels on its own scratchpad, before it is sent.
///
/// One at a time on a queue that isn't pinned. Where the two digests differ, the portable path decides.
final class ShareVerifier: Sendable {
    /// Shares that may wait; a worker that finds one more waits itself.
    static let capacity = 64

    private let kernel: HashKernel
    private let judge: HashKernel
    private let found: @Sendable (ShareFinding) -> Void
    private let queue = DispatchQueue(label: "blocminer.verifier", qos: .userInitiated)
    private let slots = DispatchSemaphore(value: ShareVerifier.capacity)
    private let signal = WorkSignal()
    private let waiting = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// A verifier that hashes with `kernel` and tells `found`, on its queue, what came of each share.
    init(kernel: HashKernel, found: @escaping @Sendable (ShareFinding) -> Void) {
        self.kernel = kernel
        self.found = found
        judge = HashKernel(variant: kernel.variant, path: .portable, lanes: 1)
    }

    /// Shares that wait for the second look, or have it just now.
    var pendingCount: Int { waiting.load(ordering: .relaxed) }

    /// Queues `share`; blocks while too many wait.
    func check(_ share: Share) {
        waiting.add(1, ordering: .relaxed)
        slots.wait()
        queue.async { [self] in
            if !isClosed.load(ordering: .relaxed), let finding = look(at: share) { found(finding) }
            waiting.subtract(1, ordering: .relaxed)
            slots.signal()
        }
    }

    /// Returns when nothing waits any more.
    func drained() async {
        await withCheckedContinuation { ended in
            queue.async { ended.resume() }
        }
    }

    /// Drops what still waits.
    func close() {
        isClosed.store(true, ordering: .relaxed)
        signal.advance()
    }

    /// Nil when the verifier was closed meanwhile.
    private func look(at share: Share) -> ShareFinding? {
        do {
            guard let second = try digest(of: share, by: kernel) else { return nil }
            if second == share.digest { return .genuine(share) }
            guard let verdict = try digest(of: share, by: judge) else { return nil }
            if verdict == share.digest { return .genuineButMischecked(share, kernel) }
            return .invalid(share, checked: verdict)
        } catch {
            return .unchecked(share, "\(error)")
        }
    }

    private func digest(of share: Share, by kernel: HashKernel) throws -> Digest? {
        let watch = WorkWatch(signal, count: 0)
        var workspace = try HashWorkspace(kernel)
        return try workspace.hash(
            [share.job.blob(with: share.nonce)],
            height: share.job.height,
            watching: watch
        )?.first
    }
}
