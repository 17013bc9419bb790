import BlocMiner
import Glibc

/// Measures what this machine's memory can do, on all threads at once, and prints one JSON object a line:
///
///     swift run -c release ceiling [--algo A] [--lanes 1,2,4,8,16,24] [--threads N] [--seconds S]
///
/// First the latency of dependent loads over each working set, then for each number of lanes the rate of random lines in
/// every form of the loop. `--seconds` is how long each loop runs at a time. `blocminer bench --ceiling` does the same
/// beside a hashrate.
@main struct CeilingTable {
    private var variant: HashVariant
    private var lanes = [1, 2, 4, 8, 16, 24]
    private var limits = HashingLimits()
    private var seconds = 0.1

    static func main() async {
        do {
            try await CeilingTable(arguments: Array(CommandLine.arguments.dropFirst())).run()
        } catch {
            print("ceiling: \(error)")
            Glibc.exit(1)
        }
    }

    private init(arguments: [String]) throws(MinerError) {
        guard let bloc = HashVariant(named: "bloc") else { throw .failure("this build can't hash for BLOC") }
        variant = bloc
        guard arguments.count.isMultiple(of: 2) else { throw .usage("every option takes a value") }
        for index in stride(from: 0, to: arguments.count, by: 2) { try set(arguments[index], to: arguments[index + 1]) }
    }

    private mutating func set(_ option: String, to value: String) throws(MinerError) {
        let refusal = MinerError.usage("\(option) does not take '\(value)'")
        switch option {
        case "--algo":
            guard let named = HashVariant(named: value) else { throw refusal }
            variant = named
        case "--lanes":
            lanes = value.split(separator: ",").compactMap { Int($0) }.filter(HashKernel.laneRange.contains)
            guard !lanes.isEmpty else { throw refusal }
        case "--threads":
            guard let threads = Int(value), threads > 0 else { throw refusal }
            limits.threads = threads
        case "--seconds":
            guard let number = Double(value), number > 0, number <= 60 else { throw refusal }
            seconds = number
        default: throw .usage("unknown option '\(option)'")
        }
    }

    private func run() async throws(MinerError) {
        let benchmark = try MemoryCeilingBenchmark(variant: variant, limits: limits, secondsPerLoop: seconds)
        let table = try await benchmark.latencies()
        for entry in table.entries {
            print(
                #"{"threads":\#(benchmark.plan.threads.count),"bytes":\#(entry.bytes),"nanoseconds":\#(entry.nanoseconds)}"#
            )
        }
        let share = table.cacheShareBytes.map(String.init) ?? "null"
        print(#"{"cacheShareBytes":\#(share),"verified":\#(table.isVerified)}"#)
        for lanes in lanes { try await printRates(benchmark, lanes) }
    }

    private func printRates(_ benchmark: MemoryCeilingBenchmark, _ lanes: Int) async throws(MinerError) {
        let rate = try await benchmark.lineRate(
            lanes: lanes,
            scratchpadBytes: variant.memoryBytes,
            visitedBytes: variant.demand.walkedBytes
        )
        for entry in rate.entries {
            print(
                """
                {"threads":\(rate.threads),"lanes":\(lanes),"padBytes":\(rate.padBytes),"form":"\(entry.form)",\
                "linesPerSecond":\(entry.linesPerSecond),"best":\(entry == rate.best),"verified":\(rate.isVerified)}
                """
            )
        }
        guard rate.isVerified else { throw .failure("memory doesn't hold what was written to it") }
    }
}
