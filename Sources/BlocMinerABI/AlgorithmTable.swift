internal import BlocMiner
internal import CBlocMiner

/// The algorithms, with their strings in memory that C may keep.
enum AlgorithmTable {
    private struct Row {
        let name: UnsafePointer<CChar>
        let aliases: UnsafePointer<CChar>
    }

    private nonisolated(unsafe) static let rows = HashVariant.all.map { variant in
        Row(
            name: Texts.permanent(variant.name),
            aliases: Texts.permanent(variant.algorithm.aliases.joined(separator: " "))
        )
    }

    static var count: Int { HashVariant.all.count }

    /// The algorithm of this number; nil behind the last one.
    static func row(_ number: Int) -> blocminer_algorithm_t? {
        guard rows.indices.contains(number) else { return nil }
        let variant = HashVariant.all[number]
        var row = blocminer_algorithm_t()
        row.name = rows[number].name
        row.aliases = rows[number].aliases
        row.scratchpad_bytes = UInt64(variant.scratchpadBytes)
        row.minimum_input_bytes = UInt32(clamping: variant.algorithm.minimumBlobBytes)
        row.needs_height = variant.algorithm.needsHeight ? 1 : 0
        return row
    }

    /// The variant with this name.
    static func variant(named name: UnsafePointer<CChar>?) throws(ABIError) -> HashVariant {
        guard let name = Texts.text(name) else { throw .null("algorithm") }
        guard let variant = HashVariant(named: name) else {
            let near = AlgorithmCatalog.cryptoNight.names(near: name).joined(separator: ", ")
            let shown = PeerText.printable(name, limit: 60)
            throw ABIError(BLOCMINER_UNKNOWN_ALGORITHM, "no algorithm is called '\(shown)'; the nearest are \(near)")
        }
        return variant
    }
}
