/// Finds what somebody probably meant by a misspelt word.
public enum NearestNames {
    /// Those of `candidates` within a few edits of `word` (a third of its length, at least two), the nearest first.
    public static func of(_ word: String, among candidates: [String], limit: Int = 3) -> [String] {
        let scalars = scalars(of: word)
        let reach = max(2, scalars.count / 3)
        let scored = candidates.map { (name: $0, edits: distance(scalars, Array($0.unicodeScalars))) }
        return
            scored
            .filter { $0.edits <= reach }
            .sorted { ($0.edits, $0.name) < ($1.edits, $1.name) }
            .prefix(limit)
            .map(\.name)
    }

    /// Like `of`, but where none is near, those that contain `word`, then those that begin like it, then the fewest
    /// edits away: there is always an answer.
    public static func always(_ word: String, among candidates: [String], limit: Int = 3) -> [String] {
        let near = of(word, among: candidates, limit: limit)
        guard near.isEmpty else { return near }
        let scalars = scalars(of: word)
        let scored = candidates.map { name in
            let other = Array(name.unicodeScalars)
            let shared = zip(scalars, other).prefix { $0 == $1 }.count
            let kinship = !word.isEmpty && name.contains(word) ? Int.max : shared >= leastBeginning ? shared : 0
            return (name: name, strangeness: -kinship, edits: distance(scalars, other))
        }
        return scored.sorted { ($0.strangeness, $0.edits, $0.name) < ($1.strangeness, $1.edits, $1.name) }
            .prefix(limit)
            .map(\.name)
    }

    /// A shorter one that two words share says nothing.
    private static let leastBeginning = 3

    private static func scalars(of word: String) -> [Unicode.Scalar] { Array(word.unicodeScalars.prefix(64)) }

    /// Levenshtein's distance: the fewest insertions, deletions and replacements that turn one word into the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (i, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
