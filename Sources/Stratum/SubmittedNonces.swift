import MiningWork

/// Which nonces have been submitted, so that none is ever sent twice: pools ban for one duplicate.
struct SubmittedNonces: Sendable {
    private static let rememberedBlobs = 8
    private static let rememberedNonces = 1 << 16

    private struct Searched: Sendable {
        let key: [UInt8]
        var nonces: Set<Nonce> = []
    }

    /// The one used last comes last.
    private var blobs: [Searched] = []

    /// Remembers a share's nonce; false if it was there already.
    mutating func insert(_ share: Share) -> Bool {
        let key = share.job.nonceSpaceKey
        let index = blobs.firstIndex { $0.key == key }
        var searched = index.map { blobs.remove(at: $0) } ?? Searched(key: key)
        if searched.nonces.count >= Self.rememberedNonces { searched.nonces.removeAll() }
        let isNew = searched.nonces.insert(share.nonce).inserted
        blobs.append(searched)
        if blobs.count > Self.rememberedBlobs { blobs.removeFirst() }
        return isNew
    }
}
