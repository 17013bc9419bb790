import CBlocMiner
import LoopbackPool
import MiningWork
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct HostedMinerTests {
    @Test func handsTheSharesOfOwnJobsOver() async throws {
        let host = try Host()
        #expect(setJob(host.miner, number: 42) == BLOCMINER_OK)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
        for share in await host.shares(3) {
            let input = blob(with: share.nonce)
            var hash = [UInt8](repeating: 0, count: 32)
            #expect(Int(blocminer_verify("cn/upx2", input, input.count, 0, 20, &hash)) == BLOCMINER_OK)
            #expect(share.hash == hash && share.job == 42)
            #expect(share.size == MemoryLayout<blocminer_event_t>.size)
        }
        await host.destroy()
    }

    @Test func triesARangeOfNoncesAndSaysSo() async throws {
        let host = try Host()
        let status = setJob(host.miner, number: 5) { job in
            job.difficulty = 0
            job.target = .max
            job.first_nonce = 100
            job.last_nonce = 104
        }
        #expect(status == BLOCMINER_OK)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
        var nonces: Set<UInt32> = [], exhausted: UInt64?
        for await event in host.events {
            if event.outcome == BLOCMINER_SHARE_FOUND { nonces.insert(event.nonce) }
            if event.type == BLOCMINER_EVENT_EXHAUSTED { exhausted = event.job }
            if nonces.count == 5, exhausted != nil { break }
        }
        #expect(nonces == [100, 101, 102, 103, 104] && exhausted == 5)
        await host.destroy()
    }

    @Test func startsAgainAfterAStopWithTheLastJob() async throws {
        let host = try Host()
        #expect(setJob(host.miner) == BLOCMINER_OK)
        for _ in 0..<3 {
            #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
            #expect(await host.shares(1).count == 1)
            #expect(await host.call { blocminer_stop($0) } == BLOCMINER_OK)
            let end = await host.first { $0.type == BLOCMINER_EVENT_ENDED }
            #expect(end?.status == BLOCMINER_OK)
        }
        let statistics = await host.statistics
        #expect(statistics.hashes > 0 && statistics.is_running == 0)
        await host.destroy()
    }

    @Test func stopsAtOnceWhileItStarts() async throws {
        let host = try Host { $0.lanes = 24 }
        #expect(setJob(host.miner, algorithm: "cn-heavy/xhv") == BLOCMINER_OK)
        let start = ContinuousClock.now
        for _ in 0..<3 {
            #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
            #expect(await host.call { blocminer_stop($0) } == BLOCMINER_OK)
        }
        await host.destroy()
        // Loosely bounded, for the sake of busy machines: a start that can't be interrupted takes this long under load.
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test func refusesWhatItsStateDoesNotAllow() async throws {
        let host = try Host()
        #expect(await host.call { blocminer_pause($0) } == BLOCMINER_WRONG_STATE)
        #expect(await host.call { blocminer_stop($0) } == BLOCMINER_OK)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_WRONG_STATE)
        #expect(await host.call { blocminer_pause($0) } == BLOCMINER_OK)
        let paused = await host.statistics
        #expect(paused.is_paused == 1 && paused.is_running == 1)
        #expect(await host.call { blocminer_resume($0) } == BLOCMINER_OK)
        #expect(await host.statistics.is_paused == 0)
        let miner = host.miner
        await host.destroy()
        for status in [blocminer_start(miner), blocminer_stop(miner), blocminer_pause(miner), blocminer_destroy(miner)]
        {
            #expect(Int(status) == BLOCMINER_INVALID_HANDLE)
        }
        #expect(Int(blocminer_start(OpaquePointer(bitPattern: 0x1234))) == BLOCMINER_INVALID_HANDLE)
        #expect(Int(blocminer_start(nil)) == BLOCMINER_INVALID_ARGUMENT)
    }

    @Test func refusesPoolsThatCannotBe() {
        func create(_ change: (inout blocminer_pool_t) -> Void, count: Int = 1) -> Int {
            "127.0.0.1:1".withCString { text in
                var pool = blocminer_pool_t(), options = sized(blocminer_options_t()), miner: OpaquePointer?
                pool.size = MemoryLayout<blocminer_pool_t>.size
                pool.address = text
                pool.user = text
                change(&pool)
                return withUnsafePointer(to: pool) { pool in
                    options.pools = pool
                    options.pool_count = count
                    defer { _ = blocminer_destroy(miner) }
                    return Int(blocminer_create(&options, &miner))
                }
            }
        }
        #expect(create { _ in } == BLOCMINER_OK)
        #expect(create({ _ in }, count: 0) == BLOCMINER_INVALID_ARGUMENT)
        #expect(create({ _ in }, count: 65) == BLOCMINER_INVALID_ARGUMENT)
        #expect(create { $0.size = 8 } == BLOCMINER_INVALID_SIZE)
        #expect(create { $0.address = nil } == BLOCMINER_INVALID_ARGUMENT)
        #expect(create { $0.user = nil } == BLOCMINER_INVALID_ARGUMENT)
        #expect(create { $0.tls_fingerprint = $0.user } == BLOCMINER_INVALID_ARGUMENT)
        #expect(create { $0.tls_authorities = $0.user } == BLOCMINER_INVALID_ARGUMENT)
        #expect(
            create {
                $0.proxy = $0.user; $0.is_tls_insecure = 1
            } == BLOCMINER_OK
        )
    }

    @Test func refusesJobsThatCannotBe() async throws {
        let host = try Host()
        #expect(setJob(host.miner, number: 0) == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner, algorithm: "nosuch") == BLOCMINER_UNKNOWN_ALGORITHM)
        #expect(setJob(host.miner) { $0.blob = nil } == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner) { $0.blob_bytes = 20 } == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner) { $0.blob_bytes = .max } == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner) { $0.difficulty = 0 } == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner) { $0.target = 5 } == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner) { $0.algorithm = nil } == BLOCMINER_INVALID_ARGUMENT)
        #expect(setJob(host.miner) { $0.first_nonce = 5 } == BLOCMINER_INVALID_ARGUMENT)
        #expect(Int(blocminer_set_job(host.miner, nil)) == BLOCMINER_OK)
        await host.destroy()
    }

    @Test func takesCallsWithinACallbackButNoStop() async throws {
        let statuses = Mutex<[Int]>([])
        let host = try Host(reaction: { event, miner in
            guard event.outcome == BLOCMINER_SHARE_FOUND, event.job == 1 else { return }
            let said = [
                Int(blocminer_stop(miner)), Int(blocminer_destroy(miner)), Int(blocminer_pause(miner)),
                Int(blocminer_resume(miner)),
                setJob(miner, number: 2) {
                    $0.first_nonce = 1 << 31; $0.last_nonce = .max
                },
            ]
            statuses.withLock { if $0.isEmpty { $0 = said } }
        })
        #expect(setJob(host.miner, number: 1) == BLOCMINER_OK)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
        #expect(await host.first { $0.outcome == BLOCMINER_SHARE_FOUND && $0.job == 2 } != nil)
        let forbidden = BLOCMINER_IN_CALLBACK, fine = BLOCMINER_OK
        #expect(statuses.withLock { $0 } == [forbidden, forbidden, fine, fine, fine])
        await host.destroy()
    }

    @Test func minesForAPool() async throws {
        var configuration = LoopbackPoolConfiguration(
            startDifficulty: try #require(Difficulty(50)),
            algorithm: Algorithm(name: "cn/upx2")
        )
        configuration.shareInterval = nil
        let pool = LoopbackPool(configuration)
        let address = "127.0.0.1:\(try pool.start())"
        let host = try hostOf(address)
        #expect(setJob(host.miner) == BLOCMINER_WRONG_STATE)
        #expect(await host.call { blocminer_start($0) } == BLOCMINER_OK)
        #expect(await host.first { $0.outcome == BLOCMINER_SHARE_ACCEPTED } != nil)
        #expect(await host.statistics.shares_accepted > 0)
        await host.destroy()
        #expect(pool.statistics.rejectedInAll == 0)
        pool.stop()
    }

    private func hostOf(_ address: String) throws -> Host {
        try address.withCString { address in
            try "wallet".withCString { user in
                var pool = blocminer_pool_t()
                pool.size = MemoryLayout<blocminer_pool_t>.size
                pool.address = address
                pool.user = user
                return try withUnsafePointer(to: pool) { pool in
                    try Host {
                        $0.pools = pool
                        $0.pool_count = 1
                    }
                }
            }
        }
    }
}
