/// Finds what somebody probably meant by a misspelt word.
public enum NearestNames {
    /// Those of `candidates` within a few edits of `word` (a third of its length, at least two), the nearest first.
    public static func of(_ word: String, among candidates: [String], limit: Int = 3) -> [String] {
        let scalars = Array(word.unicodeScalars.prefix(64))
        let reach = max(2, scalars.count / 3)
        let scored = candidates.map { (name: $0, edits: distance(scalars, Array($0.unicodeScalars))) }
        return
            scored
            .filter { $0.edits <= reach }
            .sorted { ($0.edits, $0.name) < ($1.edits, $1.name) }
            .prefix(limit)
            .map(\.name)
    }

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
