public import CryptoNight

/// How the workers hash: so many of them, with so many lanes each, on this path.
public struct WorkForm: Hashable, Sendable {
    /// Workers that hash; the first ones of the plan.
    public let threads: Int
    /// Hashes in flight on each.
    public let lanes: Int
    /// The path.
    public let path: InstructionSet

    /// A form of work.
    public init(threads: Int, lanes: Int, path: InstructionSet) {
        self.threads = threads
        self.lanes = lanes
        self.path = path
    }
}

extension WorkForm: CustomStringConvertible {
    /// Such as "2 threads × 24 lanes on aesni".
    public var description: String {
        "\(threads) \(threads == 1 ? "thread" : "threads") × \(lanes) \(lanes == 1 ? "lane" : "lanes") on \(path.name)"
    }
}
