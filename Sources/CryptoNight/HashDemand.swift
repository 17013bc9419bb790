internal import CHashKernels

/// What one hash of a variant asks of a machine.
public struct HashDemand: Hashable, Sendable {
    /// The part of each scratchpad that the main loop visits, in bytes: a power of two.
    public let walkedBytes: Int
    /// Cache lines at random places in an iteration.
    public let lineAccesses: Int
    /// AES rounds in an iteration.
    public let aesRounds: Int
    /// AES rounds of explode and implode together.
    public let sweepRounds: Int
    /// The division in an iteration; nil where there is none.
    public let division: ArithmeticKind?
}

extension HashVariant {
    /// What one hash asks for.
    public var demand: HashDemand {
        var demand = chk_demand()
        _ = chk_demand_of(index, &demand)
        return HashDemand(
            walkedBytes: Int(demand.walked_bytes),
            lineAccesses: Int(demand.line_accesses),
            aesRounds: Int(demand.aes_rounds),
            sweepRounds: Int(demand.sweep_rounds),
            division: demand.divides ? .division : demand.divides_and_roots ? .divisionAndRoot : nil
        )
    }
}

extension InstructionSet {
    /// How the path computes an AES round.
    public var aesKind: ArithmeticKind { self == .portable ? .aesTable : .aesInstruction }
}

/// Arithmetic that an iteration waits for.
public enum ArithmeticKind: String, CaseIterable, Sendable {
    /// An AES round by the CPU's instruction.
    case aesInstruction
    /// An AES round by table.
    case aesTable
    /// A signed division of 64 bits by 32.
    case division
    /// A division of 64 bits by 32 and a square root.
    case divisionAndRoot

    private var kernel: chk_arithmetic {
        switch self {
        case .aesInstruction: CHK_ARITHMETIC_AES
        case .aesTable: CHK_ARITHMETIC_AES_TABLE
        case .division: CHK_ARITHMETIC_DIVISION
        case .divisionAndRoot: CHK_ARITHMETIC_ROOT
        }
    }

    /// The results of so many operations on each chain, one or `ArithmeticCost.chains` of them; nil where this CPU lacks
    /// the instruction.
    func results(chains: Int, count: UInt64) -> [UInt64]? {
        var results = [UInt64](repeating: 0, count: chains)
        return chk_arithmetic_run(kernel, chains, count, &results) == CHK_OK ? results : nil
    }
}

/// What one operation costs a thread, in seconds.
public struct ArithmeticCost: Hashable, Sendable {
    /// Independent chains where throughput is measured.
    public static let chains = Int(CHK_ARITHMETIC_CHAINS)

    /// When each waits for the one before.
    public let latency: Double
    /// When there are others to do meanwhile.
    public let throughput: Double

    /// A cost of so many seconds.
    public init(latency: Double, throughput: Double) {
        self.latency = latency
        self.throughput = throughput
    }

    /// The least of several measurements on the calling thread, some milliseconds in all; nil where this CPU lacks the
    /// instruction, or where chains side by side compute something else than one alone.
    public static func measured(_ kind: ArithmeticKind) -> ArithmeticCost? {
        guard let alone = kind.results(chains: 1, count: operations),
            kind.results(chains: chains, count: operations)?.first == alone.first
        else { return nil }
        return ArithmeticCost(latency: seconds(kind, chains: 1), throughput: seconds(kind, chains: chains))
    }

    private static let operations: UInt64 = 20_000

    private static func seconds(_ kind: ArithmeticKind, chains: Int) -> Double {
        var least = Double.infinity
        for _ in 0..<5 {
            let start = ContinuousClock.now
            _ = kind.results(chains: chains, count: operations)
            least = min(least, start.duration(to: .now) / .seconds(1))
        }
        return least / Double(operations) / Double(chains)
    }

    /// What an operation costs each of `lanes` hashes in lock step, at least.
    public func seconds(lanes: Int) -> Double { max(latency / Double(max(1, lanes)), throughput) }
}
