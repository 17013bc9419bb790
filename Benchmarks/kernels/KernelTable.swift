import CryptoNight
import Glibc
import MiningWork

/// Proves each stage of the kernels on each path against the portable one, on seeded inputs, then times it on this
/// thread. Prints one JSON object a line and stops at the first difference:
///
///     swift run -c release kernels [--algo A,B|all] [--path P,Q] [--lanes 1,4,16] [--seconds S]
///
/// Stages: the digest functions on 200 bytes; for each algorithm `explode`, `implode` and `sweep` (an implode in one with
/// the explode that follows), all three of a hash without its main loop, and `hash`, which is explode, main loop and
/// implode. Times are for one digest or hash: the median over the repetitions that fit into `--seconds`, five at least.
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
            let time = try StageTime.measured(operations: 1, seconds: seconds) { _ = function.digest(of: input) }
            print(time.line(stage: function.name, variant: nil, path: .portable, lanes: 1))
        }
        for variant in variants {
            for lanes in lanes {
                for path in paths { try run(variant, path, lanes) }
            }
        }
    }

    private func run(_ variant: HashVariant, _ path: InstructionSet, _ lanes: Int) throws {
        let inputs = (0..<lanes).map { SeededInputs.input($0, bytes: 76) }
        let height = SeededInputs.height
        func show(_ stage: String, _ time: StageTime) {
            print(time.line(stage: stage, variant: variant, path: path, lanes: lanes))
        }
        var sweeps = try proved(HashKernel(variant: variant.withoutMainLoop, path: path, lanes: lanes), inputs)
        show("explode", try time(lanes) { _ = try sweeps.start(inputs, height: height) })
        show("sweep", try time(lanes) { _ = try sweeps.next(inputs, height: height) })
        let implode = try StageTime.measured(operations: lanes, seconds: seconds) {
            _ = try sweeps.start(inputs, height: height)
        } _: {
            _ = try sweeps.finish()
        }
        show("implode", implode)
        var hashes = try proved(HashKernel(variant: variant, path: path, lanes: lanes), inputs)
        show("hash", try time(lanes) { _ = try hashes.hash(inputs, height: height) })
    }

    private func time(_ lanes: Int, _ body: () throws -> Void) throws -> StageTime {
        try StageTime.measured(operations: lanes, seconds: seconds, body)
    }

    /// A workspace of `kernel` whose digests are those of the portable path, which does one lane after the other; both by
    /// themselves and in one sweep with others.
    private func proved(_ kernel: HashKernel, _ inputs: [[UInt8]]) throws -> HashWorkspace {
        let height = SeededInputs.height
        var judge = try HashWorkspace(HashKernel(variant: kernel.variant, path: .portable, lanes: 1))
        let expected = try inputs.compactMap { try judge.hash([$0], height: height)?.first }
        var workspace = try HashWorkspace(kernel)
        guard try workspace.hash(inputs, height: height) == expected, try workspace.start(inputs, height: height),
            try workspace.next(inputs, height: height)?.digests == expected
        else { throw KernelFailure("the digests of \(kernel) differ from those of the portable path") }
        return workspace
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
