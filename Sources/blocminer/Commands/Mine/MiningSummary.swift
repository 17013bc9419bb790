import BlocMiner

/// What a miner did from its start to its end.
struct MiningSummary {
    let statistics: MinerStatistics

    /// The lines for a person.
    var lines: [StyledText] {
        let hashes = NumberText.count(statistics.hashes, "hash", plural: "hashes")
        let seconds = DurationText.text(statistics.hashingTime)
        let rate = NumberText.hashrate(statistics.hashesPerSecond)
        return [
            "\("summary:", .strong) \(hashes) in \(seconds), \(rate)",
            "shares: \(statistics.shares.fullText)",
        ]
    }

    /// The object for a script. `algorithm`, `path` and `difficulty` are null as long as nothing was hashed.
    var json: JSONValue {
        [
            "version": .text(BlocMinerVersion.current),
            "algorithm": .optional(statistics.kernel?.variant.name),
            "path": .optional(statistics.kernel?.path.name),
            "threads": .integer(statistics.plan?.threads.count ?? 0),
            "lanes": .integer(statistics.kernel?.lanes ?? 0),
            "pages": [
                "huge": .integer(statistics.pages?.hugePages ?? 0),
                "total": .integer(statistics.pages?.totalPages ?? 0),
            ],
            "hashes": .unsigned(statistics.hashes),
            "seconds": .number(statistics.hashingTime / .seconds(1)),
            "hashesPerSecond": .number(statistics.hashesPerSecond),
            "shares": statistics.shares.json,
            "pool": .text(statistics.pool),
            "difficulty": statistics.difficulty.map(JSONValue.unsigned) ?? .null,
        ]
    }
}
