import BlocMiner

extension ShareCounts {
    /// Counts a share that came to `outcome`.
    mutating func add(_ outcome: ShareEvent.Outcome) {
        switch outcome {
        case .accepted: accepted += 1
        case .rejected: rejected += 1
        case .stale: stale += 1
        case .invalid: invalid += 1
        }
    }

    /// "12 accepted, 1 rejected"; stale and invalid ones where there are any.
    var text: String {
        let rare = [(stale, "stale"), (invalid, "invalid")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (["\(accepted) accepted", "\(rejected) rejected"] + rare).joined(separator: ", ")
    }

    /// All four counts.
    var fullText: String { "\(accepted) accepted, \(rejected) rejected, \(stale) stale, \(invalid) invalid" }

    var json: JSONValue {
        [
            "accepted": .integer(accepted), "rejected": .integer(rejected), "stale": .integer(stale),
            "invalid": .integer(invalid),
        ]
    }
}
