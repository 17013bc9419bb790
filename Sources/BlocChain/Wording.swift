import MiningWork

/// Turns of phrase that the room's errors share.
enum Wording {
    /// A user's word, fit to be shown.
    static func quoted(_ word: String) -> String { "\"\(PeerText.printable(word, limit: 40))\"" }

    /// " (did you mean a, b or c?)", or nothing where no name is near.
    static func suggestion(_ names: [String]) -> String {
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return " (did you mean \(others.isEmpty ? last : "\(others) or \(last)")?)"
    }
}
