/// How long to wait before the next attempt to connect: 1 s, 2 s, 4 s … 60 s, each up to a fifth shorter or longer so
/// that miners thrown out together don't come back together.
struct Backoff: Sendable {
    private static let longestSeconds: Int64 = 60
    private var failures: Int64 = 0
    private var jitterState: UInt64

    init(seed: UInt64) { jitterState = seed }

    /// The pause after one more failure.
    mutating func pauseAfterFailure() -> Duration {
        let seconds = failures < 6 ? min(1 << failures, Self.longestSeconds) : Self.longestSeconds
        failures += 1
        return .milliseconds(seconds * (800 + Int64(nextJitter() % 401)))
    }

    /// Things work again: the next failure is the first one.
    mutating func reset() { failures = 0 }

    /// SplitMix64.
    private mutating func nextJitter() -> UInt64 {
        jitterState &+= 0x9E37_79B9_7F4A_7C15
        var mixed = jitterState
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
