import CBlocMiner
import Testing

/// Programs that were built with an older or a newer header.
@Suite(.timeLimit(.minutes(2))) struct StructSizeTests {
    private func create(_ options: blocminer_options_t) -> Int {
        var options = options, miner: OpaquePointer?
        let status = Int(blocminer_create(&options, &miner))
        #expect((status == BLOCMINER_OK) == (miner != nil))
        if miner != nil { #expect(Int(blocminer_destroy(miner)) == BLOCMINER_OK) }
        return status
    }

    @Test func takesOptionsThatEndSooner() throws {
        var options = blocminer_options_t()
        // What lies behind the caller's struct is not read: here it would be refused.
        options.pages = 77
        options.size = try #require(MemoryLayout<blocminer_options_t>.offset(of: \.threads))
        #expect(create(options) == BLOCMINER_OK)
        options.size = MemoryLayout<blocminer_options_t>.size
        #expect(create(options) == BLOCMINER_INVALID_ARGUMENT)
    }

    @Test(arguments: [0, 1, 8, 31, -1, .min, 1 << 20, .max]) func refusesAbsurdSizes(size: Int) {
        var options = blocminer_options_t()
        options.size = size
        #expect(create(options) == BLOCMINER_INVALID_SIZE)
        var row = blocminer_algorithm_t()
        row.size = size == 31 ? 8 : size
        #expect(Int(blocminer_algorithm_at(0, &row)) == BLOCMINER_INVALID_SIZE)
    }

    @Test func takesLongerOptionsWhoseUnknownMembersAreZero() {
        let extra = 64, size = MemoryLayout<blocminer_options_t>.size
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size + extra, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size + extra)
        memory.storeBytes(of: size + extra, as: Int.self)
        let options = memory.assumingMemoryBound(to: blocminer_options_t.self)
        var miner: OpaquePointer?
        #expect(Int(blocminer_create(options, &miner)) == BLOCMINER_OK)
        #expect(Int(blocminer_destroy(miner)) == BLOCMINER_OK)
        memory.storeBytes(of: 1, toByteOffset: size + extra - 1, as: UInt8.self)
        #expect(Int(blocminer_create(options, &miner)) == BLOCMINER_INVALID_SIZE && miner == nil)
    }

    @Test func fillsNoMoreOfTheStatisticsThanTheCallerKnows() async throws {
        let host = try Host()
        var statistics = blocminer_statistics_t()
        statistics.size = try #require(MemoryLayout<blocminer_statistics_t>.offset(of: \.difficulty))
        statistics.difficulty = 4711
        statistics.shares_pending = 4711
        // A miner that doesn't run answers at once.
        #expect(Int(blocminer_statistics(host.miner, &statistics)) == BLOCMINER_OK)
        #expect(statistics.difficulty == 4711 && statistics.shares_pending == 0)
        await host.destroy()
    }

    @Test func takesAJobWithoutItsLaterMembers() async throws {
        let host = try Host()
        let status = setJob(host.miner) { job in
            job.size = MemoryLayout<blocminer_job_t>.offset(of: \.target) ?? 0
            job.first_nonce = 9
        }
        #expect(status == BLOCMINER_OK)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
        #expect(await host.shares(1).count == 1)
        await host.destroy()
    }
}
