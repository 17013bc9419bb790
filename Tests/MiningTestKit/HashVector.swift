public import MiningWork

/// A hash that other programs agree on: a row of `Vectors/cryptonight.json`.
public struct HashVector: Hashable, Sendable {
    /// The canonical name of the algorithm.
    public let algorithm: String
    /// The block height, where the algorithm reads one.
    public let height: UInt64?
    /// What is hashed.
    public let input: [UInt8]
    /// Its hash.
    public let digest: Digest

    /// Every row of the file.
    public static func all() throws -> [HashVector] {
        try TestData.vectors.json([HashVector].self, of: "cryptonight.json")
    }

    /// The rows of one algorithm.
    public static func all(of algorithm: String) throws -> [HashVector] {
        try all().filter { $0.algorithm == algorithm }
    }
}

extension HashVector: Decodable {
    private enum CodingKeys: String, CodingKey {
        case algorithm = "algo"
        case height, input
        case digest = "hash"
    }

    /// Reads one row; throws where its hex is damaged.
    public init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        algorithm = try row.decode(String.self, forKey: .algorithm)
        height = try row.decodeIfPresent(UInt64.self, forKey: .height)
        guard let input = Hex.decode(try row.decode(String.self, forKey: .input)) else {
            throw DecodingError.dataCorruptedError(forKey: .input, in: row, debugDescription: "not hex")
        }
        guard let digest = Digest(hex: try row.decode(String.self, forKey: .digest)) else {
            throw DecodingError.dataCorruptedError(forKey: .digest, in: row, debugDescription: "not a digest")
        }
        self.input = input
        self.digest = digest
    }
}

extension HashVector: CustomStringConvertible {
    /// A short name for test reports.
    public var description: String {
        "\(algorithm)\(height.map { " at \($0)" } ?? ""), \(input.count) bytes → \(digest.hex.prefix(8))…"
    }
}
