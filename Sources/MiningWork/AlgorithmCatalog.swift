/// What the rooms that don't hash know of a hash variant.
public struct Algorithm: Sendable {
    /// The canonical name, such as "cn-heavy/xhv".
    public let name: String
    /// Other names that pools and users give it.
    public let aliases: [String]
    /// Whether a job must carry a block height.
    public let needsHeight: Bool
    /// The shortest input that it can hash, in bytes.
    public let minimumBlobBytes: Int

    /// An algorithm of these properties.
    public init(name: String, aliases: [String] = [], needsHeight: Bool = false, minimumBlobBytes: Int = 1) {
        self.name = name
        self.aliases = aliases
        self.needsHeight = needsHeight
        self.minimumBlobBytes = minimumBlobBytes
    }
}

extension Algorithm: Hashable {
    /// Algorithms are the same when their canonical names are.
    public static func == (left: Algorithm, right: Algorithm) -> Bool { left.name == right.name }

    /// Feeds the canonical name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// All algorithms that this build can hash, looked up by any of their names.
public struct AlgorithmCatalog: Sendable {
    /// In the order of the variant table.
    public let algorithms: [Algorithm]
    private let byName: [String: Int]

    /// A catalog of `algorithms`. Names and aliases are compared without case; the first owner of a name keeps it.
    public init(_ algorithms: [Algorithm]) {
        self.algorithms = algorithms
        var byName: [String: Int] = [:]
        for (index, algorithm) in algorithms.enumerated() {
            for name in [algorithm.name] + algorithm.aliases where byName[name.lowercased()] == nil {
                byName[name.lowercased()] = index
            }
        }
        self.byName = byName
    }

    /// The algorithm with this canonical name or alias, in any case.
    public func algorithm(named name: some StringProtocol) -> Algorithm? {
        byName[name.lowercased()].map { algorithms[$0] }
    }

    /// Known names closest to an unknown one, the nearest first, `limit` of them.
    public func names(near name: some StringProtocol, limit: Int = 3) -> [String] {
        NearestNames.always(String(name).lowercased(), among: byName.keys.sorted(), limit: limit)
    }
}
