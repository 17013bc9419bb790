import MiningWork
import Testing

@testable import Stratum

@Suite struct PoolRotationTests {
    @Test func triesTheBestPoolFirstAndAlone() {
        var driver = RotationDriver(pools: 3)
        #expect(driver.open == [0])
        driver.accept(0)
        #expect(driver.pool == 0 && driver.open == [0])
        driver.pass(.seconds(59))
        #expect(driver.open == [0])
    }

    @Test func turnsToTheNextPoolAtOnceWhenOneFails() {
        var driver = RotationDriver(pools: 3)
        driver.fail(0)
        #expect(driver.open == [1])
        driver.fail(1)
        #expect(driver.open == [2])
        driver.accept(2)
        #expect(driver.pool == 2 && driver.now == .zero)
        driver.pass(.seconds(3))
        // The better ones are tried on and on.
        #expect(driver.open == [0, 1, 2])
    }

    @Test func turnsToTheNextPoolAtOnceWhenTheConnectionIsLost() {
        var driver = RotationDriver()
        driver.accept(0)
        driver.pass(.seconds(10))
        driver.fail(0)
        #expect(driver.pool == nil && driver.open == [1])
        driver.accept(1)
        #expect(driver.pool == 1)
    }

    @Test func triesTheNextPoolBesidesWhenOneTakesLong() {
        var driver = RotationDriver()
        driver.pass(.milliseconds(4900))
        #expect(driver.open == [0])
        driver.pass(.milliseconds(200))
        #expect(driver.open == [0, 1])
        driver.accept(0)
        #expect(driver.pool == 0 && driver.open == [0])
    }

    @Test func minesForTheFirstThatWorks() {
        var driver = RotationDriver()
        driver.pass(.seconds(6))
        driver.accept(1)
        #expect(driver.pool == 1 && driver.open == [0, 1])
        driver.accept(0)
        #expect(driver.pool == 1)
        driver.pass(.milliseconds(59_900))
        #expect(driver.pool == 1)
        driver.pass(.milliseconds(200))
        #expect(driver.pool == 0)
        #expect(driver.suspensions.isEmpty)
    }

    @Test func goesBackWithoutAGapAndOnTheConnectionThatWasTried() throws {
        var driver = RotationDriver()
        driver.fail(0)
        driver.accept(1)
        driver.pass(.seconds(2))
        driver.accept(0)
        driver.pass(.seconds(30))
        driver.pushJob(0)
        let backup = try #require(driver.mined)
        driver.pass(.seconds(31))
        #expect(driver.pool == 0 && driver.suspensions.isEmpty)
        #expect(driver.mined?.id == "3")
        #expect(driver.peers[0].connections == 2)
        // What was found for the backup goes there and nowhere else, while it is still connected.
        try driver.find(backup, nonce: 1)
        #expect(driver.peers[1].submitted == [backup.id] && driver.peers[0].submitted.isEmpty)
        driver.pass(.seconds(5))
        #expect(driver.open == [0, 1])
        driver.answer(1)
        #expect(driver.open == [0])
        #expect(driver.verdicts.map(\.outcome) == [.accepted])
        // Later it is dropped and counted.
        try driver.find(backup, nonce: 2)
        #expect(driver.peers[0].submitted.isEmpty)
        guard case .stale? = driver.verdicts.last?.outcome else {
            Issue.record("\(driver.verdicts)")
            return
        }
    }

    @Test func leavesAPoolThatHasNoAnswerToGive() throws {
        var driver = RotationDriver()
        driver.fail(0)
        driver.accept(1)
        driver.pass(.seconds(2))
        driver.accept(0)
        driver.pass(.seconds(60))
        #expect(driver.pool == 0 && driver.open == [0, 1])
        driver.pass(.seconds(5))
        #expect(driver.open == [0])
        // It is there again when it is needed.
        driver.fail(0)
        #expect(driver.open == [1])
    }

    @Test func startsTheMinuteAnewWhenABetterPoolFailsWithinIt() {
        var driver = RotationDriver()
        driver.fail(0)
        driver.accept(1)
        driver.pass(.seconds(2))
        driver.accept(0)
        driver.pass(.seconds(50))
        driver.fail(0)
        driver.pass(.seconds(5))
        driver.accept(0)
        driver.pass(.seconds(59))
        #expect(driver.pool == 1)
        driver.pass(.seconds(1))
        #expect(driver.pool == 0)
    }

    @Test func takesABetterPoolAtOnceWhenTheOtherFailsWithinTheMinute() {
        var driver = RotationDriver()
        driver.fail(0)
        driver.accept(1)
        driver.pass(.seconds(2))
        driver.accept(0)
        driver.pass(.seconds(10))
        driver.fail(1)
        #expect(driver.pool == 0 && driver.suspensions.isEmpty && driver.open == [0])
    }

    @Test func triesABetterPoolAtOnceWhenTheWorstOneFails() {
        var driver = RotationDriver()
        for _ in 0..<6 {
            driver.fail(0)
            driver.pass(.seconds(70))
        }
        driver.fail(0)
        driver.accept(1)
        #expect(driver.open == [1])
        driver.fail(1)
        #expect(driver.open == [0])
    }

    @Test func waitsASecondForAPoolThatHasNoWork() throws {
        var driver = RotationDriver()
        driver.accept(0)
        try driver.find(try #require(driver.mined), nonce: 1)
        driver.answer(0, error: "Bad gateway")
        #expect(driver.pool == nil && driver.open == [0])
        driver.pass(.milliseconds(900))
        #expect(driver.open == [0])
        driver.pass(.milliseconds(200))
        #expect(driver.open == [0, 1])
        driver.pushJob(0)
        #expect(driver.pool == 0 && driver.open == [0])
    }

    @Test func dropsHopelessPoolsAndGivesUpWithAllReasons() {
        var driver = RotationDriver()
        driver.refuse(0, "Invalid address used for login")
        #expect(driver.open == [1])
        #expect(driver.last.contains { if case .warn(pool: 0, _) = $0 { true } else { false } })
        driver.pass(.seconds(1000))
        #expect(driver.peers[0].connections == 1)
        driver.handle(.disconnected(pool: 1, reason: "x"))
        driver.pass(.seconds(100))
        driver.refuse(1, "Permission denied")
        #expect(driver.last.last == .giveUp(["Invalid address used for login", "Permission denied"]))
        #expect(driver.rotation.nextDeadline == nil)
    }

    @Test func keepsAwayFromAPoolThatShutsUsOut() {
        var driver = RotationDriver()
        driver.refuse(0, "Your IP is banned")
        driver.accept(1)
        driver.pass(.seconds(100))
        driver.fail(1)
        // Whatever happens to the others.
        #expect(driver.open == [])
        driver.pass(.seconds(2))
        driver.accept(1)
        driver.pass(.seconds(490))
        #expect(driver.peers[0].connections == 1)
        driver.pass(.seconds(10))
        #expect(driver.peers[0].connections == 2)
    }

    @Test func ignoresEventsOfConnectionsThatAreGone() {
        var driver = RotationDriver()
        driver.pass(.seconds(6))
        driver.accept(0)
        #expect(driver.open == [0])
        let jobs = driver.jobs
        driver.handle(.connected(pool: 1))
        driver.handle(.received(pool: 1, line: Array("x".utf8)))
        driver.handle(.disconnected(pool: 1, reason: "late"))
        driver.handle(.disconnected(pool: 7, reason: "nobody"))
        #expect(driver.jobs == jobs && driver.open == [0])
    }

    @Test func connectsToThePortThatThePoolSendsItTo() {
        var driver = RotationDriver(pools: 1)
        driver.accept(0)
        driver.say(#"{"method":"client.reconnect","params":["pool0","4445"]}"#, 0)
        driver.pass(.seconds(2))
        #expect(driver.peers[0].port == 4445)
        driver.accept(0)
        driver.pass(.seconds(1))
        driver.fail(0)
        driver.pass(.seconds(5))
        #expect(driver.peers[0].port == 4445)
        driver.fail(0)
        driver.pass(.seconds(10))
        #expect(driver.peers[0].port == nil && driver.peers[0].connections == 4)
    }

    @Test func stopsEverything() throws {
        var driver = RotationDriver()
        driver.fail(0)
        driver.accept(1)
        driver.pass(.seconds(2))
        driver.accept(0)
        let job = try #require(driver.mined)
        try driver.find(job, nonce: 1)
        #expect(driver.rotation.pendingShareCount == 1)
        driver.handle(.stopped)
        #expect(driver.open == [] && driver.mined == nil && driver.rotation.pendingShareCount == 0)
        try driver.find(job, nonce: 2)
        #expect(driver.verdicts.count == 2)
        #expect(driver.rotation.nextDeadline == nil)
        driver.handle(.timePassed)
        driver.handle(.disconnected(pool: 0, reason: "late"))
        #expect(driver.open == [])
    }

    @Test func asksForOtherWorkOnlyThePoolThatIsMinedFor() throws {
        var driver = RotationDriver()
        driver.accept(0)
        let job = try #require(driver.mined)
        driver.handle(.nonceSpaceExhausted(job))
        #expect(driver.mined == nil && driver.open == [0])
        driver.fail(0)
        driver.accept(1)
        driver.handle(.nonceSpaceExhausted(job))
        #expect(driver.pool == 1)
    }
}

/// Three pools that come and go at random.
@Suite struct RandomRotationTests {
    @Test(arguments: UInt64(1)...4)
    func keepsToItsRules(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        var driver = RotationDriver(pools: 3)
        var found = 0
        for nonce in UInt32(0)..<4000 {
            driver.pass(.milliseconds(Int64.random(in: 0..<3000, using: &numbers)))
            let pool = Int.random(in: 0..<3, using: &numbers)
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0: if driver.open.contains(pool) { driver.fail(pool) }
            case 1: driver.answer(pool, error: "Low difficulty share")
            case 2: driver.answer(pool, error: "Bad gateway")
            case 3: driver.pushJob(pool)
            case 4, 5, 6: driver.answer(pool)
            case 7, 8:
                guard let job = driver.jobs.suffix(6).randomElement(using: &numbers) else { continue }
                found += 1
                try driver.find(job, nonce: nonce)
            case 9: if let job = driver.mined { driver.handle(.nonceSpaceExhausted(job)) }
            default: for pool in driver.open where driver.peers[pool].lastID == 0 { driver.accept(pool) }
            }
            #expect(driver.verdicts.count + driver.rotation.pendingShareCount == found)
        }
        // A share went to the pool that its job came from.
        for (pool, peer) in driver.peers.enumerated() {
            let own = Set(driver.jobs.filter { Int($0.session >> 32) == pool }.map(\.id))
            #expect(own.isSuperset(of: peer.submitted))
        }
        #expect(Set(driver.jobs.map { Int($0.session >> 32) }) == [0, 1, 2])
        driver.handle(.stopped)
        #expect(driver.verdicts.count == found && driver.open == [])
    }

    @Test(arguments: UInt64(1)...20)
    func comesBackToTheBestPoolWhateverHasBeen(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var driver = RotationDriver(pools: 3)
        for _ in 0..<100 {
            driver.pass(.milliseconds(Int64.random(in: 0..<5000, using: &numbers)))
            let pool = Int.random(in: 0..<3, using: &numbers)
            guard driver.open.contains(pool) else { continue }
            if driver.peers[pool].lastID == 0, Bool.random(using: &numbers) {
                driver.accept(pool)
            } else {
                driver.fail(pool)
            }
        }
        for _ in 0..<200 {
            driver.pass(.seconds(1))
            if driver.open.contains(0), driver.peers[0].lastID == 0 { driver.accept(0) }
        }
        #expect(driver.pool == 0)
        #expect(driver.open == [0])
    }
}
