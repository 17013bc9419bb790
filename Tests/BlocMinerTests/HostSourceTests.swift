import BlocMiner
import CryptoNight
import LoopbackPool
import MiningWork
import PoolTransport
import Testing

@Suite(.timeLimit(.minutes(2))) struct HostSourceTests {
    /// Shares in the order in which they come, for a test to wait for.
    private struct Harvest {
        let shares: AsyncStream<Share>
        let exhausted: AsyncStream<Job>
        let source: HostSource

        init() {
            let (shares, basket) = AsyncStream.makeStream(of: Share.self)
            let (exhausted, bin) = AsyncStream.makeStream(of: Job.self)
            self.shares = shares
            self.exhausted = exhausted
            source = HostSource(found: { basket.yield($0) }, exhausted: { bin.yield($0) })
        }

        func next(_ count: Int, where suits: (Share) -> Bool = { _ in true }) async -> [Share] {
            var found: [Share] = []
            for await share in shares where suits(share) {
                found.append(share)
                if found.count == count { break }
            }
            return found
        }
    }

    private func miner(_ source: HostSource, threads: Int = 1) throws -> Miner {
        try Miner(MinerConfiguration(source: source, limits: HashingLimits(threads: threads, lanes: 2)))
    }

    @Test func minesTheHostsJobsAndHandsItsSharesOver() async throws {
        let harvest = Harvest()
        let job = try job(of: try quickVariant(), difficulty: 20)
        harvest.source.mine(job)
        let miner = try miner(harvest.source)
        let shares = try await withRunning(miner) { _ in await harvest.next(3) }
        for share in shares {
            let digest = try quickVariant().digest(of: job.blob(with: share.nonce), height: job.height)
            #expect(share.job == job && share.digest == digest && job.target.isMet(by: digest))
        }
        #expect(await miner.statistics.shares.rejected == 0)
        #expect(await miner.statistics.pool == "")
    }

    @Test func triesTheNoncesOfARangeAndNoOthers() async throws {
        let harvest = Harvest()
        let variant = try quickVariant()
        let job = try Job(
            id: "1",
            blob: [UInt8](repeating: 7, count: 76),
            target: try #require(Target(threshold: .max)),
            algorithm: variant.algorithm,
            nonceSpace: .range(0xffff_fffa...0xffff_ffff)
        )
        harvest.source.mine(job)
        let miner = try miner(harvest.source)
        try await withRunning(miner) { _ in
            let shares = await harvest.next(6)
            #expect(Set(shares.map(\.nonce.value)) == Set(0xffff_fffa...0xffff_ffff))
            for await exhausted in harvest.exhausted {
                #expect(exhausted == job)
                break
            }
        }
        #expect(await miner.statistics.hashes == 6)
    }

    @Test func leavesTheOldJobForTheNewOne() async throws {
        let harvest = Harvest()
        let variant = try quickVariant()
        harvest.source.mine(try job(of: variant, id: "old", byte: 1, difficulty: 20))
        let miner = try miner(harvest.source)
        try await withRunning(miner) { _ in
            _ = await harvest.next(1)
            harvest.source.mine(try job(of: variant, id: "new", byte: 2, difficulty: 20))
            _ = await harvest.next(1) { $0.job.id == "new" }
            let later = await harvest.next(3)
            #expect(later.allSatisfy { $0.job.id == "new" })
        }
    }

    @Test func restsWhileThereIsNoJob() async throws {
        let harvest = Harvest()
        let variant = try quickVariant()
        harvest.source.mine(try job(of: variant, difficulty: 20))
        let miner = try miner(harvest.source)
        try await withRunning(miner) { events in
            _ = await harvest.next(1)
            harvest.source.suspend(reason: "synchronising")
            let reason = await events.first { event in
                if case .paused(let reason) = event { reason } else { nil }
            }
            #expect(reason == "synchronising")
            harvest.source.mine(try job(of: variant, byte: 3, difficulty: 20))
            _ = await harvest.next(1) { $0.job.blob[0] == 3 }
        }
    }

    @Test func runsTwoMinersOfDifferentAlgorithmsSideBySide() async throws {
        let names = ["cn/upx2", "cn-pico"]
        let counts = try await withThrowingTaskGroup(of: (String, Int).self) { group in
            for name in names {
                group.addTask {
                    let harvest = Harvest()
                    let variant = try #require(HashVariant(named: name))
                    let job = try job(of: variant, difficulty: 10)
                    harvest.source.mine(job)
                    let miner = try miner(harvest.source)
                    let shares = try await withRunning(miner) { _ in await harvest.next(3) }
                    let right = try shares.filter { try variant.digest(of: job.blob(with: $0.nonce)) == $0.digest }
                    #expect(await miner.statistics.kernel?.variant == variant)
                    return (name, right.count)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(counts == ["cn/upx2": 3, "cn-pico": 3])
    }
}
