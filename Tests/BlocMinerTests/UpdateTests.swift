import BlocMiner
import CryptoNight
import LoopbackPool
import MiningWork
import PoolTransport
import Testing

@Suite(.timeLimit(.minutes(2))) struct UpdateTests {
    private func pool() throws -> LoopbackPool {
        var configuration = LoopbackPoolConfiguration(
            startDifficulty: try #require(Difficulty(100)),
            algorithm: try quickVariant().algorithm
        )
        configuration.shareInterval = nil
        return LoopbackPool(configuration)
    }

    /// Waits for the next accepted share; the names of other things that happened before it.
    private func happenings(until events: AsyncStream<MinerEvent>) async -> [String] {
        var names: [String] = []
        for await event in events {
            switch event {
            case .connected: names.append("connected")
            case .disconnected: names.append("disconnected")
            case .started(let plan, let kernel): names.append("\(plan.threads.count) × \(kernel.lanes)")
            case .share(let share):
                if case .accepted = share.outcome { return names }
            default: break
            }
        }
        return names
    }

    @Test func changesTheLanesWithoutLosingTheConnection() async throws {
        let pool = try pool()
        var wanted = try configuration(port: try pool.start())
        let miner = try Miner(wanted)
        try await withRunning(miner) { events in
            #expect(await happenings(until: events) == ["connected", "1 × 2"])
            wanted.limits.lanes = 5
            try await miner.update(wanted)
            #expect(await miner.statistics.kernel?.lanes == 5)
            var later = await happenings(until: events)
            // Shares of the first workers may still be on their way.
            while later.isEmpty { later = await happenings(until: events) }
            #expect(later == ["1 × 5"])
        }
        #expect(pool.statistics.connections == 1 && pool.statistics.rejectedInAll == 0)
        pool.stop()
    }

    @Test func keepsItsWorkersWhereNothingChanges() async throws {
        let pool = try pool()
        let wanted = try configuration(port: try pool.start())
        let miner = try Miner(wanted)
        try await withRunning(miner) { events in
            _ = await happenings(until: events)
            try await miner.update(wanted)
            for _ in 0..<3 { #expect(await happenings(until: events).isEmpty) }
        }
        pool.stop()
    }

    @Test func refusesWhatCannotBeAndGoesOn() async throws {
        let pool = try pool()
        var wanted = try configuration(port: try pool.start())
        let miner = try Miner(wanted)
        try await withRunning(miner) { events in
            _ = await happenings(until: events)
            wanted.limits.threads = 99_999
            await #expect(throws: MinerError.self) { try await miner.update(wanted) }
            wanted.limits.threads = 1
            wanted.pools[0].algorithm = "cn/nosuch"
            await #expect(throws: MinerError.self) { try await miner.update(wanted) }
            #expect(await happenings(until: events).isEmpty)
        }
        pool.stop()
    }

    @Test func goesOverToAnotherPool() async throws {
        let pools = [try pool(), try pool()]
        let miner = try Miner(try configuration(port: try pools[0].start()))
        let next = try configuration(port: try pools[1].start(), lanes: 1)
        try await withRunning(miner) { events in
            _ = await happenings(until: events)
            try await miner.update(next)
            var later = await happenings(until: events)
            while !later.contains("connected") { later = await happenings(until: events) }
        }
        #expect(pools[1].statistics.accepted > 0)
        for pool in pools {
            #expect(pool.statistics.rejectedInAll == 0)
            pool.stop()
        }
    }

    @Test func tellsTheLogWhatHappens() async throws {
        let pool = try pool()
        var wanted = try configuration(port: try pool.start())
        let (lines, log) = AsyncStream.makeStream(of: LogLine.self)
        wanted.log = { log.yield($0) }
        let miner = try Miner(wanted)
        let told = try await withRunning(miner) { _ in
            var told: [LogLine] = []
            for await line in lines {
                told.append(line)
                if line.text.hasPrefix("share accepted") { break }
            }
            return told
        }
        let start = try #require(told.first)
        #expect(start.level == .debug || start.text.hasPrefix("hashing cn/upx2"))
        #expect(told.contains { $0.level == .info && $0.text.hasPrefix("logged in to 127.0.0.1:") })
        #expect(!told.contains { $0.text.contains("wallet") })
        pool.stop()
    }
}
