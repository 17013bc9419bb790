import Dispatch
import MiningWork
import PoolTransport
import Stratum
import Testing

@testable import LoopbackPool

@Suite(.timeLimit(.minutes(1))) struct LoopbackPoolTests {
    private func configuration(_ difficulty: UInt64) throws -> LoopbackPoolConfiguration {
        var configuration = LoopbackPoolConfiguration(
            startDifficulty: try #require(Difficulty(difficulty)),
            algorithm: blocAlgorithm
        )
        configuration.shareInterval = nil
        configuration.blockInterval = nil
        configuration.seed = 1
        return configuration
    }

    @Test func servesManyMinersAndCountsWhatItDoes() async throws {
        let judged = Locked<[JudgedShare]>([])
        let pool = LoopbackPool(try configuration(8), hash: quickShareHash) { share in
            judged.withLock { $0.append(share) }
        }
        let port = try pool.start()
        #expect(try pool.start() == port)
        let eight = try #require(Difficulty(8))
        var blobs: Set<[UInt8]> = []
        for round in 0..<4 {
            let miner = try TestMiner(port: port)
            let job = try WireJob(try await miner.ask(TestRequest.login)["result"]?["job"])
            blobs.insert(job.blob)
            let good = try job.nonce(meeting: eight)
            #expect(try await miner.ask(job.submit(good))["result"]?["status"]?.string == "OK")
            #expect(try await miner.ask(job.submit(good))["error"]?["message"]?.string == "Duplicate share2")
            if round == 0 {
                let bad = try job.nonce(meeting: eight, false)
                _ = try await miner.ask(job.submit(bad))
            }
        }
        let statistics = pool.statistics
        #expect(blobs.count == 4)
        #expect(statistics.connections == 4)
        #expect(statistics.logins == 4)
        #expect(statistics.jobs == 4)
        #expect(statistics.accepted == 4)
        #expect(statistics.rejected == [.duplicate: 4, .lowDifficulty: 1])
        #expect(statistics.rejectedInAll == 5)
        #expect(statistics.creditedHashes == 32)
        pool.stop()
        pool.stop()
        while judged.withLock({ $0.count }) < 9 { await Task.yield() }
        #expect(judged.withLock { $0.filter { $0.refusal == nil }.map(\.connection) } == [1, 2, 3, 4])
    }

    @Test func pushesAJobToEverybodyWhenTheChainGrows() async throws {
        let pool = LoopbackPool(try configuration(1), hash: quickShareHash)
        let port = try pool.start()
        let (one, two, stranger) = (try TestMiner(port: port), try TestMiner(port: port), try TestMiner(port: port))
        _ = try await stranger.ask(TestRequest.line(1, "keepalived", ""))
        var jobs: [WireJob] = []
        for miner in [one, two] { jobs.append(try WireJob(try await miner.ask(TestRequest.login)["result"]?["job"])) }
        pool.growChain()
        for miner in [one, two] { jobs.append(try WireJob(try await miner.message()["params"])) }
        #expect(jobs.map(\.height) == [650_000, 650_000, 650_001, 650_001])
        #expect(Set(jobs.map(\.blob)).count == 4)
        #expect(Array(jobs[2].blob[7..<39]) == Array(jobs[3].blob[7..<39]))
        #expect(Array(jobs[2].blob[7..<39]) != ChainTip.genesisID)
        #expect(try await stranger.ask(TestRequest.line(2, "x", ""))["error"]?["message"]?.string == "Invalid method")
        pool.stop()
    }

    @Test func growsTheChainByItself() async throws {
        var configuration = try configuration(1)
        configuration.blockInterval = .milliseconds(20)
        let pool = LoopbackPool(configuration, hash: quickShareHash)
        let miner = try TestMiner(port: try pool.start())
        _ = try await miner.ask(TestRequest.login)
        for _ in 0..<3 { #expect(try await miner.message()["method"] == .string("job")) }
        pool.stop()
    }

    @Test func hashesTheBlobAndHeightOfTheShareWithItsAlgorithm() async throws {
        let asked = Locked<[(Algorithm, [UInt8], UInt64?)]>([])
        let pool = LoopbackPool(
            try configuration(1),
            hash: { algorithm, blob, height in
                asked.withLock { $0.append((algorithm, blob, height)) }
                return nil
            }
        )
        let miner = try TestMiner(port: try pool.start())
        let job = try WireJob(try await miner.ask(TestRequest.login)["result"]?["job"])
        let reply = try await miner.ask(job.submit(0x0403_0201))
        #expect(reply["error"]?["message"]?.string == "Rejected share: invalid result")
        let calls = asked.withLock { $0 }
        #expect(calls.map(\.0.name) == ["cn-heavy/xhv"])
        #expect(calls.first?.1 == job.blob(with: 0x0403_0201))
        #expect(Array(calls.first?.1[39..<43] ?? []) == [1, 2, 3, 4])
        #expect(calls.first?.2 == 650_000)
        pool.stop()
    }

    @Test func refusesSharesBeyondWhatItCanVerify() async throws {
        let gate = DispatchSemaphore(value: 0)
        let pool = LoopbackPool(
            try configuration(1),
            hash: { _, blob, _ in
                gate.wait()
                return quickHash(blob)
            }
        )
        let miner = try TestMiner(port: try pool.start())
        let job = try WireJob(try await miner.ask(TestRequest.login)["result"]?["job"])
        for nonce in 0..<UInt32(1025) { miner.connection.send(line: try job.submit(nonce, request: Int(nonce) + 2)) }
        let refusal = try await miner.message()
        #expect(refusal["id"] == .integer(1026))
        #expect(refusal["error"]?["message"]?.string == ShareRefusal.overloaded.text)
        for _ in 0..<1024 { gate.signal() }
        for _ in 0..<1024 { #expect(try await miner.message()["result"]?["status"]?.string == "OK") }
        #expect(pool.statistics.accepted == 1024)
        gate.signal()
        #expect(try await miner.ask(job.submit(2000))["result"]?["status"]?.string == "OK")
        pool.stop()
    }

    @Test func hangsUpOnGarbageAndOnOverlongLines() async throws {
        let pool = LoopbackPool(try configuration(1), hash: quickShareHash)
        let port = try pool.start()
        for line in ["GET / HTTP/1.1", String(repeating: "x", count: 10241)] {
            let miner = try TestMiner(port: port)
            miner.connection.send(line: line)
            #expect(await miner.line() == nil)
        }
        pool.stop()
    }

    @Test func hangsUpWhenItStopsAndCanStartAgain() async throws {
        let pool = LoopbackPool(try configuration(1), hash: quickShareHash)
        let miner = try TestMiner(port: try pool.start())
        _ = try await miner.ask(TestRequest.login)
        pool.stop()
        #expect(await miner.line() == nil)
        let other = try TestMiner(port: try pool.start())
        #expect(try await other.ask(TestRequest.login)["result"] != nil)
        pool.stop()
    }

    /// The room that mines, without its threads, against the pool: both understand the protocol the same way.
    @Test(arguments: [false, true])
    func understandsTheStratumSession(usesNiceHash: Bool) async throws {
        var configuration = try configuration(8)
        configuration.usesNiceHash = usesNiceHash
        configuration.extensions = ["algo", "keepalive"]
        let pool = LoopbackPool(configuration, hash: quickShareHash)
        let miner = try TestMiner(port: try pool.start())
        let catalog = AlgorithmCatalog([configuration.algorithm])
        var session = StratumSession(.init(user: "abLoc5wallet", agent: "test", catalog: catalog, host: "127.0.0.1"))
        var accepted = 0
        var actions = session.handle(.connected, at: .zero)
        while accepted < 5 {
            for action in actions {
                switch action {
                case .send(let line): miner.connection.send(line: line)
                case .deliver(let job):
                    for share in shares(of: job, count: 5) {
                        for case .send(let line) in session.handle(.found(share), at: .zero) {
                            miner.connection.send(line: line)
                        }
                    }
                case .judged(let verdict):
                    #expect(verdict.outcome == .accepted)
                    accepted += 1
                case .disconnect, .connect, .redirect, .suspendWork, .examine, .warn, .giveUp:
                    Issue.record("\(action)")
                    return
                case .loggedIn, .note: break
                }
            }
            if accepted == 5 { break }
            guard let line = await miner.line() else { break }
            actions = session.handle(.received(line: Array(line.utf8)), at: .zero)
        }
        #expect(accepted == 5)
        #expect(pool.statistics.creditedHashes == 40)
        pool.stop()
    }

    private func shares(of job: Job, count: Int) -> [Share] {
        var shares: [Share] = []
        for counter in UInt64(0)... where shares.count < count {
            guard let nonce = job.nonceSpace.nonce(at: counter) else { break }
            guard let digest = quickHash(job.blob(with: nonce)), job.target.isMet(by: digest) else { continue }
            shares.append(Share(job: job, nonce: nonce, digest: digest))
            if shares.count == count { break }
        }
        return shares
    }
}
