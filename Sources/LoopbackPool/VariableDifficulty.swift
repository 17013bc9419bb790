import MiningWork

/// A connection's difficulty, led towards one share in a given time.
struct VariableDifficulty: Sendable {
    /// Shares that are enough to judge a miner's speed, and share intervals that are.
    static let windowShares = 8
    /// Beyond it a difficulty doesn't rise.
    static let highest: UInt64 = 1 << 48

    private(set) var current: Difficulty
    private let secondsPerShare: Double?
    private var windowStart: Duration
    private var shares = 0
    private var hashes = 0.0

    /// Starts at `difficulty` and stays there if `shareInterval` is nil or not positive.
    init(_ difficulty: Difficulty, shareInterval: Duration?, at now: Duration) {
        current = difficulty
        secondsPerShare = shareInterval.map { $0 / .seconds(1) }.flatMap { $0 > 0 ? $0 : nil }
        windowStart = now
    }

    /// Credits a share. Answers whether the difficulty changed.
    mutating func accepted(_ difficulty: Difficulty, at now: Duration) -> Bool {
        shares += 1
        hashes += Double(difficulty.hashes)
        return retarget(at: now)
    }

    /// Looks whether it is time to change, at most to the double or half. Answers whether it changed.
    mutating func retarget(at now: Duration) -> Bool {
        guard let secondsPerShare else { return false }
        let elapsed = (now - windowStart) / .seconds(1)
        guard shares >= Self.windowShares || elapsed >= secondsPerShare * Double(Self.windowShares) else {
            return false
        }
        let ideal = elapsed > 0 ? hashes / elapsed * secondsPerShare : .infinity
        (windowStart, shares, hashes) = (now, 0, 0)
        return change(towards: ideal)
    }

    /// Leaves a difficulty alone that is within a quarter of the ideal: shares come by chance.
    private mutating func change(towards ideal: Double) -> Bool {
        let now = current.hashes
        guard abs(ideal - Double(now)) > Double(now) / 4 else { return false }
        let half = max(1, now - now / 2)
        let double = max(now, min(now.multipliedReportingOverflow(by: 2).partialValue, Self.highest))
        let next = ideal >= Double(double) ? double : max(half, UInt64(ideal))
        guard next != now, let difficulty = Difficulty(next) else { return false }
        current = difficulty
        return true
    }
}
