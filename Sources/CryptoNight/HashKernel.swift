internal import CHashKernels

/// Which form of the kernels to use: a variant, on a path, so many lanes at a time.
public struct HashKernel: Hashable, Sendable {
    /// Lanes that one call can hash in lock step.
    public static let laneRange = 1...Int(CHK_LANES_MAX)

    /// The hash function.
    public let variant: HashVariant
    /// The instructions that compute it.
    public let path: InstructionSet
    /// Hashes in flight at a time.
    public let lanes: Int

    /// A form with `lanes` lanes, brought into `laneRange`.
    public init(variant: HashVariant, path: InstructionSet, lanes: Int) {
        self.variant = variant
        self.path = path
        self.lanes = min(max(lanes, Self.laneRange.lowerBound), Self.laneRange.upperBound)
    }

    /// Memory that it works in, in bytes.
    public var scratchpadBytes: Int { lanes * variant.memoryBytes }
}

extension HashKernel: CustomStringConvertible {
    /// Such as "cn-heavy/xhv on aesni, 4 lanes".
    public var description: String { "\(variant.name) on \(path.name), \(lanes) \(lanes == 1 ? "lane" : "lanes")" }
}

/// Why an input can't be hashed.
public enum HashError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The input is shorter, or longer, than can be.
    case inputLength(bytes: Int, minimum: Int, variant: String)
    /// The variant needs a block height.
    case missingHeight(variant: String)
    /// More inputs than lanes, or none.
    case inputCount(Int, lanes: Int)
    /// The path can't run here.
    case unsupportedPath(String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .inputLength(let bytes, let minimum, let variant):
            "\(variant) cannot hash an input of \(bytes) bytes; it takes \(minimum) or more"
        case .missingHeight(let variant): "\(variant) needs a block height"
        case .inputCount(let count, let lanes): "\(count) inputs were given for \(lanes) lanes"
        case .unsupportedPath(let name): "this CPU cannot run path '\(name)'"
        }
    }
}
