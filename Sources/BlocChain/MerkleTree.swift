import CryptoNight
public import MiningWork

/// CryptoNote's tree of transaction hashes, whose root stands in a block's hashing blob.
public enum MerkleTree {
    /// The root over `leaves`, the coinbase's hash first; nil without any leaf.
    ///
    /// So many of the last leaves are first hashed in pairs that a power of two is left; these are halved down to one.
    public static func root(of leaves: [Digest]) -> Digest? {
        guard leaves.count > 1 else { return leaves.first }
        var width = 1
        while width * 2 < leaves.count { width *= 2 }
        let unpaired = 2 * width - leaves.count
        var row = leaves.prefix(unpaired) + pairs(of: leaves.dropFirst(unpaired))
        while row.count > 1 { row = ArraySlice(pairs(of: row)) }
        return row.first
    }

    /// The hashes of neighbours; an even number of `digests` goes in.
    private static func pairs(of digests: ArraySlice<Digest>) -> [Digest] {
        stride(from: digests.startIndex, to: digests.endIndex - 1, by: 2).map {
            Keccak256.digest(of: digests[$0].bytes + digests[$0 + 1].bytes)
        }
    }
}
