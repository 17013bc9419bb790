public import MiningWork

/// What became of a share.
public struct ShareVerdict: Sendable, Hashable {
    /// How it ended.
    public enum Outcome: Sendable, Hashable {
        /// The pool took it.
        case accepted
        /// The pool refused it; its text, made safe to show.
        case rejected(reason: String)
        /// It came too late, by the pool's word or because there was nobody to send it to. Nothing is wrong with it.
        case stale(reason: String)
    }

    /// The share.
    public let share: Share
    /// How it ended.
    public let outcome: Outcome
    /// From the submit to the pool's answer; nil if the share was not sent or not answered.
    public let latency: Duration?

    /// A verdict on `share`.
    public init(share: Share, outcome: Outcome, latency: Duration? = nil) {
        self.share = share
        self.outcome = outcome
        self.latency = latency
    }
}
