/// The order in which several configurations are measured: in rounds (A B C A B C …), so that whatever drifts with time
/// meets all of them alike.
public struct Alternation: Sendable, Hashable {
    /// Configurations.
    public let count: Int
    /// How often each is measured.
    public let rounds: Int

    /// An alternation of `count` configurations in `rounds` rounds.
    public init(of count: Int, rounds: Int) {
        self.count = max(0, count)
        self.rounds = max(1, rounds)
    }

    /// The number of the configuration for each turn.
    public var turns: [Int] { (0..<rounds).flatMap { _ in 0..<count } }

    /// The least time for each turn, where each configuration is to have `seconds` in all.
    public func secondsPerTurn(of seconds: Double) -> Double { seconds / Double(rounds) }

    /// The least number of samples for each turn, where each configuration is to have `samples` in all.
    public func samplesPerTurn(of samples: Int) -> Int { (samples + rounds - 1) / rounds }
}
