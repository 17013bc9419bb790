public import CryptoNight
internal import MachineTopology

/// What a crew's threads measure beside whole hashes.
enum StageProbe {
    /// The sweep of one lane's hash (all but its main loop, explode in one with the implode before), in seconds of its
    /// thread: the median over the threads.
    ///
    /// All threads sweep at the same time for `duration` or longer, each over the scratchpads of all its lanes.
    static func sweepSeconds(
        _ kernel: HashKernel,
        crew: ProbeCrew,
        hugePages: HugePagePolicy,
        lasting duration: Duration
    ) async throws(MinerError) -> Double {
        let sweeps = HashKernel(variant: kernel.variant.withoutMainLoop, path: kernel.path, lanes: kernel.lanes)
        let inputs = (0..<kernel.lanes).map { lane in [UInt8](repeating: UInt8(lane), count: 76) }
        let times = try await crew.run { station in
            var workspace = try HashWorkspace(sweeps, policy: hugePages)
            guard workspace.touch(watching: station.watch),
                try workspace.start(inputs, height: 0, watching: station.watch)
            else { throw ProbeError.calledOff }
            try station.arrive()
            var hashes = 0
            let start = ContinuousClock.now
            repeat {
                guard try workspace.next(inputs, height: 0, watching: station.watch) != nil else {
                    throw ProbeError.calledOff
                }
                hashes += inputs.count
            } while start.duration(to: .now) < duration
            return start.duration(to: .now) / .seconds(1) / Double(hashes)
        }
        return Median.of(times)
    }

    /// What the arithmetic of `kernel` costs, with all threads at it: the median over the threads.
    static func arithmetic(_ kernel: HashKernel, crew: ProbeCrew) async throws(MinerError) -> ArithmeticCosts {
        let division = kernel.variant.demand.division
        let costs = try await crew.run { station in
            try station.arrive()
            let aes = ArithmeticCost.measured(kernel.path.aesKind)
            return (aes, division.flatMap(ArithmeticCost.measured))
        }
        return ArithmeticCosts(aes: median(costs.compactMap(\.0)), division: median(costs.compactMap(\.1)))
    }

    private static func median(_ costs: [ArithmeticCost]) -> ArithmeticCost? {
        guard !costs.isEmpty else { return nil }
        return ArithmeticCost(
            latency: Median.of(costs.map(\.latency)),
            throughput: Median.of(costs.map(\.throughput))
        )
    }
}

/// What an algorithm's arithmetic costs a thread; nil where it has none or the cost can't be measured here.
public struct ArithmeticCosts: Sendable, Hashable {
    /// An AES round.
    public var aes: ArithmeticCost?
    /// Its division.
    public var division: ArithmeticCost?

    /// Costs put together by hand.
    public init(aes: ArithmeticCost? = nil, division: ArithmeticCost? = nil) {
        self.aes = aes
        self.division = division
    }
}
