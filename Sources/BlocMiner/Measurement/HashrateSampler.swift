/// Takes samples of what a crew's workers count. A sample of a worker reaches from one completed batch to another, so
/// that a batch is never split between two.
struct HashrateSampler: Sendable {
    private(set) var samples: [Double] = []
    private(set) var hashes: UInt64 = 0
    private(set) var seconds: Double = 0
    private var perWorker: [[Double]]
    private var last: [WorkerCounter.Reading]

    /// A sampler whose first sample begins with the batches that were complete in `start`, one reading a worker.
    init(start: [WorkerCounter.Reading]) {
        last = start
        perWorker = start.map { _ in [] }
    }

    /// Ends a sample with `readings`, if each worker has completed a batch since the last one. True if it did.
    mutating func take(_ readings: [WorkerCounter.Reading]) -> Bool {
        var parts: [(hashes: UInt64, seconds: Double)] = []
        for (before, now) in zip(last, readings) {
            guard let start = before.completed, let end = now.completed, end > start else { return false }
            parts.append((now.hashes - before.hashes, start.duration(to: end) / .seconds(1)))
        }
        for (worker, part) in parts.enumerated() { perWorker[worker].append(Double(part.hashes) / part.seconds) }
        samples.append(parts.reduce(0) { $0 + Double($1.hashes) / $1.seconds })
        hashes += parts.reduce(0) { $0 + $1.hashes }
        seconds += parts.reduce(0) { $0 + $1.seconds } / Double(parts.count)
        last = readings
        return true
    }

    /// The median of each worker's samples, in hashes per second.
    var perThread: [Double] { perWorker.map(Median.of) }

    /// The least and the largest of each worker's samples, in hashes per second.
    var perThreadRanges: [ClosedRange<Double>] { perWorker.map { ($0.min() ?? 0)...($0.max() ?? 0) } }
}
