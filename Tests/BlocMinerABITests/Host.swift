import CBlocMiner
import Dispatch
import MiningWork
import Testing

/// What a host keeps of an event.
struct HeardEvent: Sendable {
    let type: Int
    let status: Int
    let text: String
    let outcome: Int
    let job: UInt64
    let nonce: UInt32
    let hash: [UInt8]
    let size: Int

    init(_ event: blocminer_event_t) {
        type = Int(event.type)
        status = Int(event.status)
        text = String(cString: event.text)
        outcome = Int(event.outcome)
        job = event.job
        nonce = event.nonce
        hash = withUnsafeBytes(of: event.hash) { Array($0) }
        size = event.size
    }
}

/// A program that embeds the library: it owns a miner and hears of its events. To be destroyed by hand.
final class Host: Sendable {
    let events: AsyncStream<HeardEvent>
    private let heard: AsyncStream<HeardEvent>.Continuation
    /// What it does on the event thread.
    private let reaction: @Sendable (HeardEvent, OpaquePointer?) -> Void
    private nonisolated(unsafe) var handle: OpaquePointer?
    private let thread = DispatchQueue(label: "host")

    var miner: OpaquePointer? { handle }

    /// A host of a miner of one thread and two lanes, but for what `change` does to the options.
    init(
        _ change: (inout blocminer_options_t) -> Void = { _ in },
        reaction: @escaping @Sendable (HeardEvent, OpaquePointer?) -> Void = { _, _ in }
    ) throws {
        (events, heard) = AsyncStream.makeStream()
        self.reaction = reaction
        var options = sized(blocminer_options_t())
        options.threads = 1
        options.lanes = 2
        options.callback = { context, event in
            guard let context, let event else { return }
            let host = Unmanaged<Host>.fromOpaque(context).takeUnretainedValue()
            let heard = HeardEvent(event.pointee)
            host.reaction(heard, host.handle)
            host.heard.yield(heard)
        }
        options.context = Unmanaged.passUnretained(self).toOpaque()
        change(&options)
        var made: OpaquePointer?
        let status = blocminer_create(&options, &made)
        try #require(Int(status) == BLOCMINER_OK, "\(String(cString: blocminer_last_error()))")
        handle = made
    }

    /// What `function` answers on a thread of the host: it may wait, which a thread of Swift's pool must not.
    func call(_ function: @escaping @Sendable (OpaquePointer?) -> blocminer_status_t) async -> Int {
        await withCheckedContinuation { answered in
            thread.async { [self] in answered.resume(returning: Int(function(handle))) }
        }
    }

    func destroy() async {
        #expect(await call { blocminer_destroy($0) } == BLOCMINER_OK)
        heard.finish()
    }

    var statistics: blocminer_statistics_t {
        get async {
            await withCheckedContinuation { answered in
                thread.async { [self] in
                    var statistics = blocminer_statistics_t()
                    statistics.size = MemoryLayout<blocminer_statistics_t>.size
                    #expect(Int(blocminer_statistics(handle, &statistics)) == BLOCMINER_OK)
                    answered.resume(returning: statistics)
                }
            }
        }
    }

    /// The first event that suits.
    func first(where suits: (HeardEvent) -> Bool) async -> HeardEvent? {
        for await event in events where suits(event) { return event }
        return nil
    }

    /// The next `count` found shares.
    func shares(_ count: Int) async -> [HeardEvent] {
        var shares: [HeardEvent] = []
        for await event in events where event.outcome == BLOCMINER_SHARE_FOUND {
            shares.append(event)
            if shares.count == count { break }
        }
        return shares
    }
}

/// The struct with its size in place.
func sized(_ options: blocminer_options_t) -> blocminer_options_t {
    var options = options
    options.size = MemoryLayout<blocminer_options_t>.size
    return options
}

/// A blob of 76 bytes.
let blob = [UInt8](repeating: 7, count: 39) + [0, 0, 0, 0] + [UInt8](repeating: 9, count: 33)

/// Sets a job of the quickest algorithm.
func setJob(
    _ miner: OpaquePointer?,
    number: UInt64 = 1,
    algorithm: String = "cn/upx2",
    _ change: (inout blocminer_job_t) -> Void = { _ in }
) -> Int {
    var job = blocminer_job_t()
    job.size = MemoryLayout<blocminer_job_t>.size
    job.job = number
    job.difficulty = 20
    job.blob_bytes = blob.count
    return blob.withUnsafeBytes { bytes in
        algorithm.withCString { algorithm in
            job.blob = bytes.baseAddress
            job.algorithm = algorithm
            change(&job)
            return Int(blocminer_set_job(miner, &job))
        }
    }
}

/// The blob with `nonce` in place.
func blob(with nonce: UInt32) -> [UInt8] {
    var copy = blob
    copy.replaceSubrange(39..<43, with: Nonce(nonce).bytes)
    return copy
}
