import MiningWork
import Testing

@Suite struct JobTests {
    static let heavy = Algorithm(name: "cn-heavy/xhv")
    static let random = Algorithm(name: "cn/r", needsHeight: true)
    static let tweaked = Algorithm(name: "cn/1", minimumBlobBytes: 76)

    @Test func offersAllNoncesForACleanBlob() throws {
        #expect(try job(field: [0, 0, 0, 0]).nonceSpace == .full)
    }

    @Test(arguments: [[1, 0, 0, 0], [0, 9, 0, 0], [0, 0, 9, 0], [0, 0, 0, 0x78], [1, 2, 3, 0x78]] as [[UInt8]])
    func keepsTheHighByteOfADirtyBlob(field: [UInt8]) throws {
        #expect(try job(field: field).nonceSpace == .low24(fixed: field[3]))
    }

    @Test(arguments: [[0, 0, 0, 0], [0, 0, 0, 0x78]] as [[UInt8]])
    func keepsTheHighByteWhereTold(field: [UInt8]) throws {
        #expect(try job(field: field, keepsHighNonceByte: true).nonceSpace == .low24(fixed: field[3]))
    }

    @Test(arguments: [43, 76, 77, 268, 408, 1024]) func takesBlobsOfRealSizes(count: Int) throws {
        #expect(try job(count: count).blob.count == count)
    }

    @Test(arguments: [0, 1, 39, 42, 1025, 100_000]) func rejectsImpossibleSizes(count: Int) {
        #expect(throws: JobError.blobLength(bytes: count, allowed: 43...1024)) { try job(count: count) }
    }

    @Test func rejectsABlobTooShortForItsAlgorithm() throws {
        #expect(throws: JobError.blobLength(bytes: 75, allowed: 76...1024)) {
            try job(count: 75, algorithm: Self.tweaked)
        }
        #expect(try job(count: 76, algorithm: Self.tweaked).blob.count == 76)
    }

    @Test func rejectsAMissingHeightOnlyWhereItIsNeeded() throws {
        #expect(throws: JobError.missingHeight(algorithm: "cn/r")) { try job(algorithm: Self.random) }
        #expect(try job(algorithm: Self.random, height: 0).height == 0)
        #expect(try job(algorithm: Self.heavy).height == nil)
    }

    @Test func saysWhatIsWrong() {
        #expect(JobError.blobLength(bytes: 42, allowed: 43...1024).description.contains("42 bytes; 43 to 1024"))
        #expect(JobError.missingHeight(algorithm: "cn/r").description.contains("cn/r needs the block height"))
    }

    @Test func putsANonceIntoTheBlobAndNowhereElse() throws {
        let job = try job(field: [0, 0, 0, 0])
        let blob = job.blob(with: Nonce(0x0403_0201))
        #expect(blob[39...42] == [1, 2, 3, 4])
        #expect(blob[..<39] == job.blob[..<39])
        #expect(blob[43...] == job.blob[43...])
        #expect(job.blob[39...42] == [0, 0, 0, 0])
    }

    @Test func searchesTheSameNoncesWhateverIdTargetAndLowBytes() throws {
        let key = try job(id: "1", field: [0, 0, 0, 0x78]).nonceSpaceKey
        #expect(try job(id: "2", field: [0, 0, 0, 0x78], threshold: 5).nonceSpaceKey == key)
        #expect(try job(id: "1", field: [9, 8, 7, 0x78]).nonceSpaceKey == key)
    }

    @Test func searchesOtherNoncesWithAnotherHighByteOrBlob() throws {
        let key = try job(field: [0, 0, 0, 0x78]).nonceSpaceKey
        #expect(try job(field: [0, 0, 0, 0x79]).nonceSpaceKey != key)
        #expect(try job(count: 77, field: [0, 0, 0, 0x78]).nonceSpaceKey != key)
        #expect(try job(field: [0, 0, 0, 0x78], filler: 6).nonceSpaceKey != key)
    }

    @Test func triesTheNoncesThatItIsToldToWhateverTheBlobHolds() throws {
        let blob = [UInt8](repeating: 7, count: 76)
        let target = try #require(Target(threshold: 9))
        func job(_ space: NonceSpace) throws -> Job {
            try Job(id: "1", blob: blob, target: target, algorithm: Self.heavy, nonceSpace: space)
        }
        let low = try job(.range(5...9)), high = try job(.range(10...14)), all = try job(.full)
        #expect(low.nonceSpace == .range(5...9) && all.nonceSpace == .full)
        #expect(Set([low, high, all].map(\.nonceSpaceKey)).count == 3)
        #expect(low.nonceSpaceKey == (try job(.range(5...9))).nonceSpaceKey)
    }

    @Test func isAnotherJobInAnotherSession() throws {
        #expect(try job(session: 1) == job(session: 1))
        #expect(try job(session: 1) != job(session: 2))
    }

    private func job(
        id: String = "1",
        session: UInt64 = 0,
        count: Int = 76,
        field: [UInt8] = [0, 0, 0, 0],
        filler: UInt8 = 5,
        threshold: UInt64 = 1000,
        algorithm: Algorithm = heavy,
        height: UInt64? = nil,
        keepsHighNonceByte: Bool = false
    ) throws -> Job {
        var blob = [UInt8](repeating: filler, count: count)
        if count >= 43 { blob.replaceSubrange(39..<43, with: field) }
        return try Job(
            id: id,
            session: session,
            blob: blob,
            target: try #require(Target(threshold: threshold)),
            algorithm: algorithm,
            height: height,
            keepsHighNonceByte: keepsHighNonceByte
        )
    }
}
