public import CryptoNight
public import MachineTopology

/// Measures what this machine's memory can do, on all threads of a plan at once.
public struct MemoryCeilingBenchmark: Sendable {
    /// The smallest and the largest working set of the latency table.
    public static let latencySets = [64 << 10, 128 << 20]

    /// Where the threads run.
    public let plan: ThreadPlan
    /// Which pages are asked for.
    public let hugePages: HugePagePolicy
    /// How long each loop runs at a time, in seconds.
    public let secondsPerLoop: Double
    private let crew: ProbeCrew

    /// A benchmark on the threads of `plan`.
    public init(
        plan: ThreadPlan,
        hugePages: HugePagePolicy = .prefer,
        secondsPerLoop: Double = 0.1
    ) throws(MinerError) {
        self.plan = plan
        self.hugePages = hugePages
        self.secondsPerLoop = min(max(0, secondsPerLoop), 60)
        crew = try ProbeCrew(places: plan.threads)
    }

    /// A benchmark on the threads that would hash `variant`.
    public init(variant: HashVariant, limits: HashingLimits, secondsPerLoop: Double = 0.1) throws(MinerError) {
        let topology: TopologySnapshot
        do { topology = try .current() } catch { throw .failure("\(error)") }
        let plan = try limits.plan(for: variant, on: topology)
        try self.init(plan: plan, hugePages: limits.hugePages, secondsPerLoop: secondsPerLoop)
    }

    private var loop: Duration { .seconds(secondsPerLoop) }

    /// The latencies over working sets from 64 KiB up, each twice the one before, to 128 MiB a thread or `largest`, and no
    /// more than half of the memory that is free.
    public func latencies(largest: Int = latencySets[1]) async throws(MinerError) -> LatencyTable {
        let free = AvailableMemory.bytes
        let bound = min(largest, free / 2 / plan.threads.count)
        var sets = [Self.latencySets[0]]
        while let last = sets.last, last * 2 <= bound { sets.append(last * 2) }
        let (hugePages, loop, bytes) = (hugePages, loop, sets)
        let threads = try await crew.run { station in
            var probe = try MemoryProbe(pads: 1, bytesEach: bytes[bytes.count - 1], policy: hugePages)
            guard probe.touch(watching: station.watch) else { throw ProbeError.calledOff }
            return try bytes.map { try Self.follow(&probe, $0, loop, station) }
        }
        let entries = sets.indices.map { set in
            let times = threads.map { $0[set].seconds / Double(max(1, $0[set].operations)) * 1e9 }
            return LatencyTable.Entry(bytes: sets[set], nanoseconds: Median.of(times))
        }
        return LatencyTable(entries: entries, isVerified: threads.allSatisfy { $0.allSatisfy(\.isVerified) })
    }

    private static func follow(
        _ probe: inout MemoryProbe,
        _ bytes: Int,
        _ loop: Duration,
        _ station: ProbeStation
    ) throws(ProbeError) -> ProbeReading {
        guard probe.link(bytes: bytes, watching: station.watch) else { throw .calledOff }
        try station.arrive()
        guard let reading = probe.follow(bytes: bytes, lasting: loop, watching: station.watch) else { throw .calledOff }
        return reading
    }

    /// The rate of random lines over `lanes` scratchpads of `scratchpadBytes` on each thread, of which the first
    /// `visitedBytes`, a power of two, are visited. Every form of the loop has `turns` turns, one after the other.
    public func lineRate(
        lanes: Int,
        scratchpadBytes: Int,
        visitedBytes: Int? = nil,
        turns: Int = 2
    ) async throws(MinerError) -> LineRate {
        let bytes = visitedBytes ?? scratchpadBytes
        guard bytes <= scratchpadBytes, bytes >= MemoryProbe.lineBytes, bytes & (bytes - 1) == 0, turns > 0 else {
            throw .usage("a scratchpad of \(scratchpadBytes) bytes has no first \(bytes) to be visited")
        }
        let (hugePages, loop, forms) = (hugePages, loop, UpdateForm.all)
        let threads = try await crew.run { station in
            var probe = try MemoryProbe(
                pads: lanes,
                bytesEach: scratchpadBytes,
                policy: hugePages,
                seed: UInt64(station.number + 1)
            )
            guard probe.touch(watching: station.watch) else { throw ProbeError.calledOff }
            return try (0..<turns * forms.count).map { turn in
                try station.arrive()
                let form = forms[turn % forms.count]
                guard let reading = probe.update(form, bytes: bytes, lasting: loop, watching: station.watch) else {
                    throw ProbeError.calledOff
                }
                return reading
            }
        }
        let entries = forms.indices.map { form in
            let rates = (0..<turns).map { turn in
                threads.reduce(0) { sum, readings in
                    let reading = readings[turn * forms.count + form]
                    return sum + Double(reading.operations) / reading.seconds
                }
            }
            return LineRate.Entry(form: forms[form], linesPerSecond: Median.of(rates))
        }
        return LineRate(
            threads: threads.count,
            lanes: lanes,
            padBytes: bytes,
            entries: entries,
            isVerified: threads.allSatisfy { $0.allSatisfy(\.isVerified) }
        )
    }
}
