internal import CHashKernels

/// How a loop of independent updates of random cache lines keeps its lines in flight.
public struct UpdateForm: Hashable, Sendable, CustomStringConvertible {
    /// The order of things in the loop.
    public enum Shape: String, Sendable {
        /// One stream of addresses, each prefetched so many updates ahead.
        case stream
        /// So many walkers in turn: update a line, prefetch the next one, as the kernels do.
        case lockStep
    }

    /// The order of things in the loop.
    public let shape: Shape
    /// Lines in flight; 0 in a stream: no prefetch.
    public let depth: Int

    private init(_ shape: Shape, _ depth: Int) {
        self.shape = shape
        self.depth = depth
    }

    /// Every form that is tried.
    public static let all: [UpdateForm] = {
        let depths = [8, 12, 16, 24, 32, 48, 64]
        return [UpdateForm(.stream, 0)] + depths.map { UpdateForm(.stream, $0) }
            + depths.map { UpdateForm(.lockStep, $0) }
    }()

    /// Such as "stream, 16 ahead".
    public var description: String {
        switch (shape, depth) {
        case (.stream, 0): "stream without prefetch"
        case (.stream, _): "stream, \(depth) ahead"
        case (.lockStep, _): "lock step, \(depth) walkers"
        }
    }

    fileprivate var kernel: chk_update_shape { shape == .stream ? CHK_UPDATE_STREAM : CHK_UPDATE_LOCK_STEP }
}

/// What a loop did in some time.
package struct ProbeReading: Sendable {
    /// Loads or updates.
    package let operations: UInt64
    /// How long they took.
    package let seconds: Double
    /// Ticks of the time-stamp counter meanwhile.
    package let ticks: UInt64
    /// Whether memory bears witness to all of them.
    package let isVerified: Bool
}

/// The CPU's time-stamp counter: it advances at a constant rate, which isn't that of the core's clock.
package enum TimeStampCounter {
    /// Its count; 0 on an architecture without one.
    package static var ticks: UInt64 { chk_ticks() }
}

/// The memory in which one thread measures what memory can do. Belongs to one thread at a time.
package struct MemoryProbe: ~Copyable {
    /// Bytes in a cache line.
    package static let lineBytes = Int(CHK_LINE_BYTES)

    private let memory: Scratchpads
    private let pads: [UnsafeMutablePointer<UInt8>?]
    private var seed: UInt64

    /// Room for `pads` of `bytesEach`; `seed` tells this thread's addresses from others'.
    package init(pads: Int, bytesEach: Int, policy: HugePagePolicy, seed: UInt64 = 1) throws(ScratchpadError) {
        memory = try Scratchpads(count: pads, bytesEach: bytesEach, policy: policy)
        self.pads = Self.places(of: memory)
        self.seed = seed
    }

    private static func places(of memory: borrowing Scratchpads) -> [UnsafeMutablePointer<UInt8>?] {
        var places: [UnsafeMutablePointer<UInt8>?] = []
        for pad in 0..<memory.count { places.append(memory.scratchpad(pad)) }
        return places
    }

    /// Makes the pages exist, on this thread's NUMA node. False when `watch` changed before the end.
    package func touch(watching watch: WorkWatch? = nil) -> Bool { memory.touch(watching: watch) }

    /// Links the first `bytes` of the memory into one cycle of lines. False when `watch` changed before the end.
    package func link(bytes: Int, watching watch: WorkWatch? = nil) -> Bool {
        guard bytes <= memory.count * memory.bytesEach else { return false }
        return chk_chase_link(pads[0], bytes, seed, watch.kernelWatch) == CHK_OK
    }

    /// Follows the links of a cycle of `bytes` for so long; nil when `watch` changed before the end.
    ///
    /// Verified: completed to whole rounds, the walk ends where it began.
    package func follow(bytes: Int, lasting duration: Duration, watching watch: WorkWatch? = nil) -> ProbeReading? {
        var place: UInt64 = 0
        let timed = repeated(lasting: duration, 1 << 13) { loads in
            chk_chase_follow(pads[0], loads, watch.kernelWatch, &place) == CHK_OK
        }
        let lines = UInt64(bytes / Self.lineBytes)
        guard let timed,
            chk_chase_follow(pads[0], lines - timed.operations % lines, watch.kernelWatch, &place) == CHK_OK
        else { return nil }
        return timed.reading(isVerified: place == 0)
    }

    /// Updates random lines in the first `bytes` of each pad for so long; nil when `watch` changed before the end.
    ///
    /// Verified: memory holds one increment for each update.
    package mutating func update(
        _ form: UpdateForm,
        bytes: Int,
        lasting duration: Duration,
        watching watch: WorkWatch? = nil
    ) -> ProbeReading? {
        guard bytes <= memory.bytesEach else { return nil }
        return pads.withUnsafeBufferPointer { pads in
            var updates = chk_updates(
                shape: form.kernel,
                depth: form.depth,
                pads: pads.baseAddress,
                lanes: pads.count,
                pad_bytes: bytes,
                watch: watch.kernelWatch
            )
            let before = chk_update_sum(&updates)
            let timed = repeated(lasting: duration, 1 << 16) { chk_update(&updates, $0, &seed) == CHK_OK }
            return timed?.reading(isVerified: chk_update_sum(&updates) &- before == timed?.operations)
        }
    }
}

/// Does `step`, which is told how many operations to do, until `duration` has passed; nil as soon as it returns false.
private func repeated(lasting duration: Duration, _ operations: UInt64, step: (UInt64) -> Bool) -> TimedOperations? {
    let start = ContinuousClock.now
    let ticks = TimeStampCounter.ticks
    var done: UInt64 = 0
    repeat {
        guard step(operations) else { return nil }
        done += operations
    } while start.duration(to: .now) < duration
    return TimedOperations(
        operations: done,
        seconds: start.duration(to: .now) / .seconds(1),
        ticks: TimeStampCounter.ticks &- ticks
    )
}

private struct TimedOperations {
    let operations: UInt64
    let seconds: Double
    let ticks: UInt64

    func reading(isVerified: Bool) -> ProbeReading {
        ProbeReading(operations: operations, seconds: seconds, ticks: ticks, isVerified: isVerified)
    }
}
