import PoolTransport
import Testing

@testable import LoopbackPool

@Suite(.timeLimit(.minutes(1))) struct ScriptedPoolTests {
    @Test func playsItsScriptsConnectionByConnection() async throws {
        let (events, sink) = AsyncStream.makeStream(of: ScriptEvent.self)
        let scripts: [[ScriptStep]] = [
            [
                .send("welcome"), .expect("login"), .answer { "you said \($0)" }, .waitForLines(2),
                .sendBytes(Array("half a".utf8)), .sendBytes(Array(" line\n".utf8)), .close,
            ],
            [.expectLine { $0 == "other" }, .reset],
        ]
        let pool = try ScriptedPool(scripts) { sink.yield($0) }
        var heard = events.makeAsyncIterator()
        let first = try TestMiner(port: pool.port)
        #expect(await first.line() == "welcome")
        #expect(try await first.line(after: "login me") == "you said login me")
        first.connection.send(line: "one")
        #expect(try await first.line(after: "two") == "half a line")
        #expect(await first.line() == nil)
        #expect(await heard.next() == .accepted(connection: 0))
        for line in ["login me", "one", "two"] {
            #expect(await heard.next() == .received(connection: 0, line: line))
        }
        #expect(await heard.next() == .finished(connection: 0))
        guard case .closed(0, _) = await heard.next() else {
            Issue.record("not closed")
            return
        }
        for number in 1...2 {
            let later = try TestMiner(port: pool.port)
            later.connection.send(line: "other")
            #expect(await later.line() == nil)
            #expect(await heard.next() == .accepted(connection: number))
            #expect(await heard.next() == .received(connection: number, line: "other"))
            #expect(await heard.next() == .finished(connection: number))
            #expect(await heard.next() == .closed(connection: number, reason: "closed by this side"))
        }
        #expect(pool.received == [["login me", "one", "two"], ["other"], ["other"]])
        pool.stop()
    }

    @Test func reportsALineThatIsNotInTheScript() async throws {
        let (events, sink) = AsyncStream.makeStream(of: ScriptEvent.self)
        let pool = try ScriptedPool([[.send("hello"), .expect("login"), .send("never")]]) { sink.yield($0) }
        let miner = try TestMiner(port: pool.port)
        #expect(await miner.line() == "hello")
        miner.connection.send(line: "submit")
        #expect(await miner.line() == nil)
        let mismatch = await events.first { if case .mismatched = $0 { true } else { false } }
        #expect(mismatch == .mismatched(connection: 0, step: 1, line: "submit"))
        pool.stop()
    }
}

@Suite struct ScriptRunTests {
    @Test func waitsForLinesThatCameBeforeItsStepOrAfter() {
        var run = ScriptRun([.waitForLines(2), .send("a"), .expect("x"), .hold, .send("never")])
        #expect(run.advance(with: nil) == [])
        #expect(run.advance(with: "1") == [])
        #expect(run.advance(with: "2") == [.send([97, 10])])
        #expect(run.advance(with: "xyz") == [])
        #expect(run.advance(with: "more") == [])
    }

    @Test func endsAfterItsLastStep() {
        var run = ScriptRun([.expect("x"), .close])
        #expect(run.advance(with: "x") == [.close, .finished])
        #expect(run.advance(with: "y") == [])
        var empty = ScriptRun([])
        #expect(empty.advance(with: nil) == [.finished])
    }
}
