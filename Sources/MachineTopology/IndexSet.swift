/// A finite set of PU or node numbers in hwloc's notation: words of 32 bits, highest first, such as
/// `0x00000001,,0x000000ff`, where an empty word after the first is 0.
struct IndexSet: Equatable {
    /// Lowest first, none of the highest being 0.
    private var words: [UInt32]

    static let empty = IndexSet(words: [])

    private init(words: [UInt32]) {
        self.words = words
        while self.words.last == 0 { self.words.removeLast() }
    }

    /// Nil for anything else, for an endless set (`0xf...f`), and beyond 8192 members.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard text.hasPrefix("0x"), parts.count <= (PUList.largestPU + 1) / 32 else { return nil }
        var words: [UInt32] = []
        for part in parts.reversed() {
            guard let word = part.isEmpty ? 0 : Self.word(part) else { return nil }
            words.append(word)
        }
        self.init(words: words)
    }

    /// The set of one number from 0 to 8191.
    init(only index: Int) {
        var words = [UInt32](repeating: 0, count: index / 32 + 1)
        words[index / 32] = 1 << UInt32(index % 32)
        self.init(words: words)
    }

    private static func word(_ text: Substring) -> UInt32? {
        guard text.hasPrefix("0x"), (3...10).contains(text.utf8.count), !text.contains("+") else { return nil }
        return UInt32(text.dropFirst(2), radix: 16)
    }

    func isSubset(of other: IndexSet) -> Bool {
        words.count <= other.words.count && zip(words, other.words).allSatisfy { $0 & ~$1 == 0 }
    }

    func isDisjoint(with other: IndexSet) -> Bool {
        zip(words, other.words).allSatisfy { $0 & $1 == 0 }
    }

    func union(_ other: IndexSet) -> IndexSet {
        let count = max(words.count, other.words.count)
        return IndexSet(words: (0..<count).map { word(at: $0) | other.word(at: $0) })
    }

    private func word(at index: Int) -> UInt32 { index < words.count ? words[index] : 0 }
}
