import BlocMiner
import CryptoNight
import LoopbackPool
import MiningWork
import PoolTransport
import Testing

@Suite(.timeLimit(.minutes(2))) struct FailoverTests {
    private func pool(
        _ name: String = "cn/upx2",
        difficulty: UInt64 = 200,
        port: UInt16 = 0
    ) throws -> LoopbackPool {
        let variant = try #require(HashVariant(named: name))
        var configuration = LoopbackPoolConfiguration(
            startDifficulty: try #require(Difficulty(difficulty)),
            algorithm: variant.algorithm
        )
        configuration.shareInterval = nil
        configuration.blockInterval = .seconds(1)
        configuration.port = port
        return LoopbackPool(configuration)
    }

    private static func switched(_ event: MinerEvent) -> String? {
        if case .switched(let pool) = event { pool } else { nil }
    }

    /// Skips events until a share is accepted.
    private static func isAccepted(_ event: MinerEvent) -> Bool? {
        if case .share(let share) = event, case .accepted = share.outcome { true } else { nil }
    }

    @Test func minesForTheNextPoolWithinTwoSeconds() async throws {
        let (best, backup) = (try pool(), try pool())
        let ports = [try best.start(), try backup.start()]
        let miner = try Miner(try configuration(ports: ports))
        try await withRunning(miner) { events in
            #expect(await events.first(Self.switched) == "127.0.0.1:\(ports[0])")
            _ = await events.first(Self.isAccepted)
            let start = ContinuousClock.now
            best.stop()
            #expect(await events.first(Self.switched) == "127.0.0.1:\(ports[1])")
            #expect(start.duration(to: .now) < .seconds(2))
            #expect(await miner.statistics.pool == "127.0.0.1:\(ports[1])")
            _ = await events.first(Self.isAccepted)
        }
        #expect(backup.statistics.accepted > 0)
        #expect(best.statistics.rejectedInAll == 0 && backup.statistics.rejectedInAll == 0)
        backup.stop()
    }

    @Test func goesBackToTheBestPoolOnceItHasWorkedForTheTrial() async throws {
        let backup = try pool()
        let unused = try ScriptedPool([[.hold]])
        unused.stop()
        let ports = [unused.port, try backup.start()]
        var configuration = try configuration(ports: ports)
        configuration.poolTrial = .seconds(2)
        let miner = try Miner(configuration)
        try await withRunning(miner) { events in
            #expect(await events.first(Self.switched) == "127.0.0.1:\(ports[1])")
            let returned = try pool(port: ports[0])
            try returned.start()
            let loggedIn = ContinuousClock.now
            var pauses = 0
            for await event in events {
                if case .paused = event { pauses += 1 }
                if let pool = Self.switched(event) {
                    #expect(pool == "127.0.0.1:\(ports[0])")
                    break
                }
            }
            #expect(loggedIn.duration(to: .now) >= .seconds(2))
            #expect(pauses == 0)
            while returned.statistics.accepted < 20 { _ = await events.first(Self.isAccepted) }
            #expect(returned.statistics.rejectedInAll == 0 && backup.statistics.rejectedInAll == 0)
            returned.stop()
        }
        backup.stop()
    }

    @Test func changesTheAlgorithmWithThePool() async throws {
        let (best, backup) = (try pool("cn-pico", difficulty: 20), try pool())
        let miner = try Miner(try configuration(ports: [try best.start(), try backup.start()]))
        try await withRunning(miner) { events in
            _ = await events.first(Self.isAccepted)
            best.stop()
            let kernel = await events.first { event in
                if case .started(_, let kernel) = event { kernel.variant.name } else { nil }
            }
            #expect(kernel == "cn/upx2")
            _ = await events.first(Self.isAccepted)
        }
        #expect(backup.statistics.accepted > 0 && backup.statistics.rejectedInAll == 0)
        backup.stop()
    }

    /// The best pool hangs up in the midst of shares; the other one must not get to see them.
    @Test func sendsNoPoolTheSharesOfAnother() async throws {
        let best = try ScriptedPool([PoolScript.login(PoolScript.job("a", byte: 1)) + [.waitForLines(5), .close]])
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        let backup = try ScriptedPool([
            PoolScript.login(PoolScript.job("b", byte: 2), session: "t") + [.waitForLines(5), .close]
        ]) { event in
            if case .finished = event { finish.yield() }
        }
        let miner = try Miner(try configuration(ports: [best.port, backup.port]))
        try await withRunning(miner) { _ in
            for await _ in done { break }
        }
        let (own, others) = (best.received.joined(), backup.received.joined())
        #expect(own.compactMap { PoolScript.member("job_id", of: $0) }.allSatisfy { $0 == "a" })
        #expect(others.compactMap { PoolScript.member("job_id", of: $0) }.allSatisfy { $0 == "b" })
        // One login for each connection.
        #expect(best.received.allSatisfy { lines in lines.filter { $0.contains("\"login\"") }.count == 1 })
        best.stop()
        backup.stop()
    }

    @Test func endsOnlyWhenNoPoolIsLeft() async throws {
        let refusal = #"{"id":1,"error":{"code":-1,"message":"Invalid address used for login"}}"#
        let denial = #"{"id":1,"error":{"code":-1,"message":"Permission denied"}}"#
        let pools = [
            try ScriptedPool([[.expect("login"), .send(refusal), .hold]]),
            try ScriptedPool([[.expect("login"), .send(denial), .hold]]),
        ]
        let miner = try Miner(try configuration(ports: pools.map(\.port), algorithm: "cn/upx2"))
        let error = await #expect(throws: MinerError.self) { try await miner.run() }
        #expect(
            "\(try #require(error))"
                == "127.0.0.1:\(pools[0].port): Invalid address used for login; 127.0.0.1:\(pools[1].port): Permission denied"
        )
        #expect(pools.map(\.received.count) == [1, 1])
        for pool in pools { pool.stop() }
    }

    @Test func saysWhichAlgorithmAPoolMayWant() async throws {
        let pool = try ScriptedPool([
            PoolScript.login(PoolScript.job("a", byte: 10, algorithm: nil))
                + (0..<3).flatMap { _ in PoolScript.answer("Low difficulty share") } + [.hold]
        ])
        let miner = try Miner(try configuration(port: pool.port, algorithm: "cn/upx2"))
        let warning = try await withRunning(miner) { events in
            await events.first { event -> String? in
                if case .warning(let text) = event, text.contains("--algo") { text } else { nil }
            }
        }
        #expect(warning?.contains("They are right as cn/upx2") == true)
        #expect(warning?.contains("--algo cn/r (Monero's blocks of version 10)") == true)
        pool.stop()
    }
}
