import BlocMiner

/// How long a miner takes to stop amid a batch: until its threads have ended and its memory is freed.
///     swift run -c release stopping [ALGORITHM [LANES [STOPS]]]     (default cn-heavy/xhv 24 10)
@main
struct StoppingTable {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let variant = HashVariant(named: arguments.first ?? "cn-heavy/xhv") else {
            throw MinerError.usage("there is no algorithm '\(arguments.first ?? "")'")
        }
        let lanes = arguments.dropFirst().first.flatMap { Int($0) } ?? 24
        let stops = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10
        var times: [Duration] = []
        for _ in 0..<max(1, stops) { times.append(try await stopTime(variant, lanes: lanes)) }
        times.sort()
        let figures = [("least", times[0]), ("median", times[times.count / 2]), ("most", times[times.count - 1])]
        print("\(variant.name), \(lanes) lanes on each thread, \(times.count) stops")
        for (name, time) in figures { print("  \(name): \(Int(time / .microseconds(1))) µs") }
    }

    /// Mines what no hash meets, and stops after some batches have begun.
    private static func stopTime(_ variant: HashVariant, lanes: Int) async throws -> Duration {
        guard let difficulty = Difficulty(.max) else { return .zero }
        let job = try Job(
            id: "1",
            blob: [UInt8](repeating: 7, count: 76),
            target: Target(exactly: difficulty),
            algorithm: variant.algorithm,
            height: 1_806_260,
            nonceSpace: .full
        )
        let source = HostSource(found: { _ in })
        source.mine(job)
        let miner = try Miner(MinerConfiguration(source: source, limits: HashingLimits(lanes: lanes)))
        let events = miner.events()
        let mining = Task { try await miner.run() }
        for await event in events {
            if case .job = event { break }
        }
        // Within a batch, wherever that is.
        try await Task.sleep(for: .milliseconds(Int.random(in: 200...800)))
        let start = ContinuousClock.now
        await miner.stop()
        try await mining.value
        return start.duration(to: .now)
    }
}
