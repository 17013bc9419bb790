/// SplitMix64: the same numbers for the same seed. Not for secrets.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// 32 bytes that pass for a hash.
    mutating func hashBytes() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: 0...255, using: &self) } }

    /// An id as pools of this family make them: 15 decimal digits.
    mutating func identifier() -> String {
        String(UInt64.random(in: 100_000_000_000_000...999_999_999_999_999, using: &self))
    }
}
