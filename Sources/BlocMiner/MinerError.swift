/// Why a miner, a benchmark or a self-test can't go on. The description says what happened and what to do.
public enum MinerError: Error, Sendable, CustomStringConvertible {
    /// What was asked for contradicts itself or can't be: the caller's to mend.
    case usage(String)
    /// What was asked for failed here and now.
    case failure(String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .usage(let text), .failure(let text): text
        }
    }
}
