import BlocMiner
import CryptoNight
import LoopbackPool
import MiningWork
import PoolTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct MinerTests {
    private func pool(_ name: String, difficulty: UInt64, isNiceHash: Bool = false) throws -> LoopbackPool {
        let variant = try #require(HashVariant(named: name))
        var configuration = LoopbackPoolConfiguration(
            startDifficulty: try #require(Difficulty(difficulty)),
            algorithm: variant.algorithm
        )
        configuration.shareInterval = nil
        configuration.blockInterval = .seconds(3)
        configuration.usesNiceHash = isNiceHash
        configuration.extensions = ["algo", "keepalive"]
        return LoopbackPool(configuration)
    }

    @Test(arguments: [("cn/upx2", 200, false), ("cn-pico", 20, true), ("cn/r", 1, false), ("cn-lite/1", 2, true)])
    func getsEveryShareAccepted(name: String, difficulty: UInt64, isNiceHash: Bool) async throws {
        let pool = try pool(name, difficulty: difficulty, isNiceHash: isNiceHash)
        let miner = try Miner(try configuration(port: try pool.start(), threads: 1))
        try await withRunning(miner) { events in
            var accepted = 0
            for await case .share(let event) in events {
                guard case .accepted = event.outcome else { continue }
                accepted += 1
                if accepted == 4 { break }
            }
        }
        let statistics = await miner.statistics
        #expect(pool.statistics.rejectedInAll == 0)
        #expect(pool.statistics.accepted >= statistics.shares.accepted && statistics.shares.accepted >= 4)
        #expect(statistics.shares.rejected == 0 && statistics.shares.invalid == 0)
        #expect(statistics.kernel?.variant.name == name)
        #expect(statistics.hashes > 0 && statistics.hashesPerSecond > 0)
        pool.stop()
    }

    /// A login reply with this job, to the login's own id.
    private static func reply(session: String, blob: String, algorithm: String, target: String) -> ScriptStep {
        .answer { line in
            let id = line.firstMatch(of: /"id":(\d+)/).map { String($0.1) } ?? "0"
            let job = #"{"blob":"\#(blob)","job_id":"\#(session)1","target":"\#(target)","algo":"\#(algorithm)"}"#
            return
                #"{"id":\#(id),"jsonrpc":"2.0","error":null,"result":{"id":"\#(session)","job":\#(job),"status":"OK"}}"#
        }
    }

    private static let blob = String(repeating: "07", count: 39) + "00000000" + String(repeating: "07", count: 33)

    @Test func neverSubmitsANonceTwiceForABlobThatComesAgainAfterAReconnect() async throws {
        let login = Self.reply(session: "s", blob: Self.blob, algorithm: "cn/upx2", target: "ffffff7f")
        let again = Self.reply(session: "t", blob: Self.blob, algorithm: "cn/upx2", target: "ffffffff")
        let (done, finish) = AsyncStream.makeStream(of: Int.self)
        let pool = try ScriptedPool([
            [.expect("login"), login, .waitForLines(12), .close], [.expect("login"), again, .waitForLines(12)],
        ]) { event in
            if case .finished(let connection) = event { finish.yield(connection) }
        }
        let miner = try Miner(try configuration(port: pool.port))
        try await withRunning(miner) { _ in
            for await connection in done where connection == 1 { break }
        }
        let lines = pool.received.joined().filter { $0.contains("submit") }
        let nonces = lines.compactMap { $0.firstMatch(of: /"nonce":"([0-9a-f]{8})"/)?.1 }
        #expect(nonces.count == lines.count && nonces.count >= 24)
        #expect(Set(nonces).count == nonces.count)
        pool.stop()
    }

    @Test func changesToTheAlgorithmThatAJobNames() async throws {
        let first = Self.reply(session: "s", blob: Self.blob, algorithm: "cn/upx2", target: "0100000000000000")
        let job = #"{"blob":"\#(Self.blob)","job_id":"2","target":"0100000000000000","algo":"cn-pico"}"#
        let next = ScriptStep.send(#"{"jsonrpc":"2.0","method":"job","params":\#(job)}"#)
        let pool = try ScriptedPool([[.expect("login"), first, next, .hold]])
        let miner = try Miner(try configuration(port: pool.port))
        let names = try await withRunning(miner) { events in
            var names: [String] = []
            for await case .started(_, let kernel) in events {
                names.append(kernel.variant.name)
                if names.count == 2 { break }
            }
            return names
        }
        #expect(names == ["cn/upx2", "cn-pico"])
        pool.stop()
    }

    @Test func triesAgainWhenNobodyListens() async throws {
        let unused = try ScriptedPool([[.hold]])
        unused.stop()
        let miner = try Miner(try configuration(port: unused.port, algorithm: "cn/upx2"))
        let retry = try await withRunning(miner) { events in
            await events.first { event in
                if case .disconnected(_, _, let retry) = event { retry } else { nil }
            }
        }
        #expect(try #require(retry) > .zero)
        #expect(await miner.statistics.hashes == 0)
    }

    @Test func pausesAndGoesOn() async throws {
        let pool = try pool("cn/upx2", difficulty: 100)
        let miner = try Miner(try configuration(port: try pool.start()))
        try await withRunning(miner) { events in
            var said: [String] = []
            for await event in events {
                switch event {
                case .share where said.isEmpty:
                    said.append("share")
                    await miner.pause()
                case .paused:
                    said.append("paused")
                    await miner.resume()
                case .resumed: said.append("resumed")
                case .share where said.last == "resumed": return
                default: break
                }
            }
            Issue.record("no share after the pause: \(said)")
        }
        pool.stop()
    }

    @Test func endsWithTheReasonWhenAPoolRefusesForGood() async throws {
        let pool = try ScriptedPool([
            [
                .expect("login"),
                .send(#"{"id":1,"jsonrpc":"2.0","error":{"code":-1,"message":"Invalid address used for login"}}"#),
                .hold,
            ]
        ])
        let miner = try Miner(try configuration(port: pool.port, algorithm: "cn/upx2"))
        let error = await #expect(throws: MinerError.self) { try await miner.run() }
        #expect("\(try #require(error))".contains("Invalid address used for login"))
        pool.stop()
    }

    @Test func refusesWhatItCannotDoBeforeItConnects() throws {
        #expect(throws: MinerError.self) { try Miner(try configuration(port: 1, algorithm: "cn/nosuch")) }
        #expect(throws: MinerError.self) { try Miner(try configuration(port: 1, algorithm: "cn/0", threads: 99_999)) }
        var damaged = try configuration(port: 1)
        damaged.pools[0].user = "abLoc" + String(repeating: "1", count: 94)
        #expect(throws: MinerError.self) { try Miner(damaged) }
        damaged.coin = "none"
        #expect(throws: Never.self) { try Miner(damaged) }
        damaged.pools = []
        #expect(throws: MinerError.self) { try Miner(damaged) }
    }

    @Test func namesThePoolWhoseSettingsContradict() throws {
        var configuration = try configuration(ports: [1, 2], algorithm: "cn/0")
        configuration.pools[1].algorithm = "nosuch"
        let error = #expect(throws: MinerError.self) { try Miner(configuration) }
        #expect("\(try #require(error))".hasPrefix("pool 127.0.0.1:2: "))
    }
}
