import BlocMiner
import Glibc

/// Measures every combination of variants, paths, lanes and threads, and prints one JSON object a line:
///
///     swift run -c release hashrate [--algo A,B|all] [--lanes 1,2,4] [--threads 1,2] [--seconds S] [--path P,Q]
///
/// `blocminer bench` measures one configuration and explains it; this walks a grid, to be read by other programs.
@main struct HashrateGrid {
    private var variants: [HashVariant] = []
    private var paths: [InstructionSet] = InstructionSet.supported
    private var lanes = [1, 2, 3, 4]
    private var threads: [Int] = []
    private var seconds = 3.0

    static func main() async {
        do {
            try await HashrateGrid(arguments: Array(CommandLine.arguments.dropFirst())).run()
        } catch {
            print("hashrate: \(error)")
            Glibc.exit(1)
        }
    }

    private init(arguments: [String]) throws(MinerError) {
        guard arguments.count.isMultiple(of: 2) else { throw .usage("every option takes a value") }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            try set(arguments[index], to: arguments[index + 1].split(separator: ",").map(String.init))
        }
        if variants.isEmpty { variants = HashVariant.all }
    }

    private mutating func set(_ option: String, to values: [String]) throws(MinerError) {
        switch option {
        case "--algo" where values == ["all"]: variants = HashVariant.all
        case "--algo": variants = try Self.each(values, option) { HashVariant(named: $0) }
        case "--path": paths = try Self.each(values, option) { try? InstructionSet(named: $0) }
        case "--lanes": lanes = try Self.each(values, option) { Int($0).flatMap { 1...64 ~= $0 ? $0 : nil } }
        case "--threads": threads = try Self.each(values, option) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
        case "--seconds": seconds = try Self.each(values, option) { Double($0).flatMap { $0 > 0 ? $0 : nil } }.last ?? 3
        default: throw .usage("unknown option '\(option)'")
        }
    }

    private static func each<Value>(
        _ values: [String],
        _ option: String,
        _ parse: (String) -> Value?
    ) throws(MinerError) -> [Value] {
        var parsed: [Value] = []
        for value in values {
            guard let one = parse(value) else { throw .usage("\(option) does not take '\(value)'") }
            parsed.append(one)
        }
        return parsed
    }

    private func run() async throws(MinerError) {
        let threadCounts: [Int?] = threads.isEmpty ? [nil] : threads
        for variant in variants {
            for path in paths {
                for lanes in lanes {
                    for threads in threadCounts {
                        let limits = HashingLimits(threads: threads, lanes: lanes, path: path)
                        print(Self.line(try await measure(variant, limits)))
                    }
                }
            }
        }
    }

    private func measure(_ variant: HashVariant, _ limits: HashingLimits) async throws(MinerError) -> HashrateReport {
        let report = try await HashrateBenchmark(
            HashrateBenchmark.Configuration(variant: variant, limits: limits, seconds: seconds)
        ).run()
        guard report.isVerified else { throw .failure("\(report.kernel) computed a wrong hash") }
        return report
    }

    private static func line(_ report: HashrateReport) -> String {
        let rate = report.hashesPerSecond
        let kernel = report.kernel
        return """
            {"algorithm":"\(kernel.variant.name)","path":"\(kernel.path.name)","lanes":\(kernel.lanes),\
            "threads":\(report.plan.threads.count),"hugePages":\(report.pages.hugePages),"hashes":\(report.hashes),\
            "median":\(rate.median),"min":\(rate.minimum),"max":\(rate.maximum)}
            """
    }
}
