internal import MiningWork
internal import Synchronization

/// Hands out the nonces of one blob, each once.
final class NonceCounter: Sendable {
    private let next: Atomic<UInt64>

    /// A counter whose first nonce is the `start`-th.
    init(startingAt start: UInt64 = 0) { next = Atomic(start) }

    /// The next `count` places in `space`, fewer at its end, nil when it is used up. From any thread.
    func take(_ count: Int, from space: NonceSpace) -> Range<UInt64>? {
        // Guards the counter itself: a space that is used up isn't counted on.
        guard next.load(ordering: .relaxed) < space.count else { return nil }
        let (start, _) = next.add(UInt64(count), ordering: .relaxed)
        let end = min(start + UInt64(count), space.count)
        return start < end ? start..<end : nil
    }
}

/// Remembers how far the nonces of the last blobs have been handed out, so that none is hashed twice when a blob comes
/// again under another job id or target, or after a reconnect.
struct NonceLedger: Sendable {
    /// How many blobs are remembered.
    static let capacity = 64

    private var entries: [(key: [UInt8], counter: NonceCounter)] = []

    /// The counter of the job's blob; a fresh one when the blob is new.
    mutating func counter(for job: Job) -> NonceCounter {
        let key = job.nonceSpaceKey
        let counter: NonceCounter
        if let index = entries.firstIndex(where: { $0.key == key }) {
            counter = entries.remove(at: index).counter
        } else {
            counter = NonceCounter()
            if entries.count == Self.capacity { entries.removeFirst() }
        }
        entries.append((key, counter))
        return counter
    }
}
