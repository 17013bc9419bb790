import CryptoNight
import Glibc
import MiningWork

/// Proves each stage of the kernels on each path against the portable one, on seeded inputs, then times it on this
/// thread. Prints one JSON object a line and stops at the first difference:
///
///     swift run -c release kernels [--algo A,B|all] [--path P,Q] [--lanes 1,4,16] [--seconds S]
///
/// Stages: the digest functions on 200 bytes; for each algorithm `sweeps`, a hash without its main loop, and `hash`. Times
/// are for one digest or hash: the median over the repetitions that fit into `--seconds`, five at least.
@main struct KernelTable {
    private var variants = HashVariant.all
    private var paths = InstructionSet.supported
    private var lanes = [1, 4, 16]
    private var seconds = 0.2

    static func main() {
        do {
            try KernelTable(arguments: Array(CommandLine.arguments.dropFirst())).run()
        } catch {
            print("kernels: \(error)")
            Glibc.exit(1)
        }
    }

    private init(arguments: [String]) throws(KernelFailure) {
        guard arguments.count.isMultiple(of: 2) else { throw KernelFailure("every option takes a value") }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            try set(arguments[index], to: arguments[index + 1].split(separator: ",").map(String.init))
        }
    }

    private mutating func set(_ option: String, to values: [String]) throws(KernelFailure) {
        switch option {
        case "--algo" where values == ["all"]: variants = HashVariant.all
        case "--algo": variants = try Self.each(values, option) { HashVariant(named: $0) }
        case "--path": paths = try Self.each(values, option) { try? InstructionSet(named: $0) }
        case "--lanes": lanes = try Self.each(values, option) { Int($0).flatMap { 1...64 ~= $0 ? $0 : nil } }
        case "--seconds": seconds = try Self.each(values, option) { Double($0).flatMap { $0 > 0 ? $0 : nil } }.last ?? 1
        default: throw KernelFailure("unknown option '\(option)'")
        }
    }

    private static func each<Value>(
        _ values: [String],
        _ option: String,
        _ parse: (String) -> Value?
    ) throws(KernelFailure) -> [Value] {
        var parsed: [Value] = []
        for value in values {
            guard let one = parse(value) else { throw KernelFailure("\(option) does not take '\(value)'") }
            parsed.append(one)
        }
        return parsed
    }

    private func run() throws {
        for function in DigestFunction.all {
            let input = SeededInputs.input(0, bytes: 200)
            let time = StageTime.measured(operations: 1, seconds: seconds) { _ = function.digest(of: input) }
            print(time.line(stage: function.name, variant: nil, path: .portable, lanes: 1))
        }
        for variant in variants {
            for lanes in lanes {
                try run(variant.withoutMainLoop, stage: "sweeps", lanes)
                try run(variant, stage: "hash", lanes)
            }
        }
    }

    private func run(_ variant: HashVariant, stage: String, _ lanes: Int) throws {
        let inputs = (0..<lanes).map { SeededInputs.input($0, bytes: 76) }
        let height = SeededInputs.height
        // Lane by lane, so that the judge works in another way as well.
        var judge = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
        let expected = try inputs.map { try judge.hash([$0], height: height)?.first }
        for path in paths {
            let kernel = HashKernel(variant: variant, path: path, lanes: lanes)
            var workspace = try HashWorkspace(kernel)
            guard try workspace.hash(inputs, height: height) == expected.compactMap({ $0 }) else {
                throw KernelFailure("\(stage) of \(kernel) differ from those of the portable path")
            }
            let time = try StageTime.measured(operations: lanes, seconds: seconds) {
                _ = try workspace.hash(inputs, height: height)
            }
            print(time.line(stage: stage, variant: variant, path: path, lanes: lanes))
        }
    }
}

/// Why the table can't be made.
struct KernelFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Inputs that are the same in every run.
enum SeededInputs {
    /// The height where Monero turned to cn/r; any does.
    static let height: UInt64 = 1_788_000

    /// The input of this number.
    static func input(_ number: Int, bytes: Int) -> [UInt8] {
        var state = UInt64(number) &* 2 &+ 1
        return (0..<bytes).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}
