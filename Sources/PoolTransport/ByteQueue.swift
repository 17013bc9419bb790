/// Bytes that wait to be written, first in first out.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Hands the bytes to `body` in one piece.
    func withBytes<Outcome>(_ body: (UnsafeRawBufferPointer) -> Outcome) -> Outcome {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Takes up to `limit` bytes off the front.
    mutating func take(upTo limit: Int) -> [UInt8] {
        let taken = Array(bytes[start..<start + min(limit, count)])
        drop(taken.count)
        return taken
    }

    /// Drops `dropped` bytes off the front. Moves the rest only once half of the storage is spent, so that draining
    /// costs linear time.
    mutating func drop(_ dropped: Int) {
        start += min(dropped, count)
        if isEmpty {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 65536)
            start = 0
        } else if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
    }
}

/// What the owner of a connection has sent and the socket has not taken yet. Bounded.
struct Outbox {
    /// What became of bytes put in.
    enum Acceptance: Hashable {
        /// They wait, and nobody has been told to write them yet.
        case first
        /// They wait behind others.
        case queued
        /// They exceed the limit; the box is shut from now on.
        case overflowed
        /// The box was shut before; they are dropped.
        case dropped
    }

    /// Most bytes that are taken out at a time.
    static let chunk = 65536

    /// Most bytes that may wait.
    let limit: Int
    private var queue = ByteQueue()
    private var isShut = false
    private var writerIsTold = false

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { queue.isEmpty }

    mutating func append(_ bytes: some Collection<UInt8>) -> Acceptance {
        guard !isShut else { return .dropped }
        guard bytes.count <= limit - queue.count else {
            shut(dropping: true)
            return .overflowed
        }
        queue.append(bytes)
        defer { writerIsTold = true }
        return writerIsTold ? .queued : .first
    }

    /// What the writer takes next; empty once nothing is left.
    mutating func take(upTo limit: Int) -> [UInt8] {
        writerIsTold = !queue.isEmpty
        return queue.take(upTo: limit)
    }

    /// Accepts no more bytes; those inside stay unless `dropping`.
    mutating func shut(dropping: Bool) {
        isShut = true
        if dropping { queue = ByteQueue() }
    }
}
