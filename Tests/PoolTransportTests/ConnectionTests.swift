import Glibc
import Testing

@testable import PoolTransport

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test(arguments: LoopbackFamily.allCases.filter { (try? Listener(family: $0)) != nil })
    func carriesLinesBothWays(family: LoopbackFamily) async throws {
        let pool = try TestPool(family: family) { connection, event in
            if case .line(let line) = event { connection.send(line: Array("got ".utf8) + line) }
        }
        defer { pool.stop() }
        let host = family == .ipv4 ? "127.0.0.1" : "::1"
        let address = try PoolAddress(host: host, port: pool.port)
        let miner = Witness(Connection(to: address))
        miner.connection.send(line: "before it is up")
        var events = miner.events.makeAsyncIterator()
        #expect(await events.next() == .connected(remote: address.description))
        #expect(await events.next() == .line(Array("got before it is up".utf8)))
        miner.connection.send(line: "after\r")
        #expect(await events.next() == .line(Array("got after\r".utf8)))
        miner.connection.close()
        #expect(await events.next() == .closed(reason: "closed by this side"))
        #expect(await events.next() == nil)
    }

    @Test func deliversABurstInOrderAndNothingAfterTheClose() async throws {
        let burst = (0..<5000).map { "line \($0)" }
        let pool = try TestPool { connection, event in
            guard case .connected = event else { return }
            connection.send(bytes: Array((burst.joined(separator: "\n") + "\nhalf a line").utf8))
            connection.closeAfterFlush()
        }
        defer { pool.stop() }
        let all = try await Witness(to: pool.port).linesAndReason()
        #expect(all.lines == burst)
        #expect(all.reason == "closed by the pool")

        let address = try PoolAddress(host: "127.0.0.1", port: pool.port)
        let closer = Witness(Connection(to: address)) { connection, event in
            if event == .line(Array("line 9".utf8)) { connection.close() }
        }
        let some = await closer.linesAndReason()
        #expect(some.lines == Array(burst.prefix(10)))
        #expect(some.reason == "closed by this side")
    }

    @Test func closesOnAnEndlessLine() async throws {
        let pool = try TestPool { connection, event in
            if case .connected = event { connection.send(bytes: [UInt8](repeating: 65, count: 500_000)) }
        }
        defer { pool.stop() }
        let outcome = try await Witness(to: pool.port).linesAndReason()
        #expect(outcome.reason == "the pool sent a line of more than 65536 bytes")
    }

    @Test func sendsEverythingThroughFullBuffersBeforeItCloses() async throws {
        let lines = (0..<900).map { "\($0) " + String(repeating: "x", count: 1000) }
        let pool = try TestPool { connection, event in
            guard case .connected = event else { return }
            for line in lines { connection.send(line: line) }
            connection.closeAfterFlush()
            connection.send(line: "too late")
        }
        defer { pool.stop() }
        let outcome = try await Witness(to: pool.port).linesAndReason()
        let isWhole = outcome.lines == lines
        #expect(isWhole)
        let end = await pool.witnesses.first?.linesAndReason()
        #expect(end?.reason == "closed by this side")
    }

    @Test func closesWhenThePeerDoesNotRead() async throws {
        let deaf = DeafPort(backlog: 5)
        let miner = try Witness(to: deaf.port)
        var events = miner.events.makeAsyncIterator()
        guard case .connected = await events.next() else {
            Issue.record("not connected")
            return
        }
        // More than the socket buffers of both sides can ever hold, and than the queue may.
        for _ in 0..<64 { miner.connection.send(bytes: [UInt8](repeating: 65, count: 1 << 20)) }
        let end = await events.next()
        #expect(end == .closed(reason: "the pool does not read: more than 1048576 bytes wait"))
        withExtendedLifetime(deaf) {}
    }

    @Test func flushesNoLongerThanItsTimeout() async throws {
        let deaf = DeafPort(backlog: 5)
        var limits = ConnectionLimits()
        limits.queuedBytes = 64 << 20
        limits.flushTimeout = .milliseconds(20)
        let miner = try Witness(to: deaf.port, limits: limits)
        var events = miner.events.makeAsyncIterator()
        _ = await events.next()
        miner.connection.send(bytes: [UInt8](repeating: 65, count: 60 << 20))
        miner.connection.closeAfterFlush()
        #expect(await events.next() == .closed(reason: "closed by this side"))
        withExtendedLifetime(deaf) {}
    }

    @Test func hearsWhyThePoolHungUpEvenIfItCannotSend() async throws {
        let pool = try TestPool { connection, event in
            guard case .line = event else { return }
            connection.send(line: "your IP is banned")
            connection.closeAfterFlush()
        }
        defer { pool.stop() }
        let miner = try Witness(to: pool.port)
        for _ in 0..<1000 { miner.connection.send(line: "login") }
        let outcome = await miner.linesAndReason()
        #expect(outcome.lines == ["your IP is banned"])
    }

    @Test func reportsAReset() async throws {
        let pool = try TestPool { connection, event in
            if case .line = event { connection.reset() }
        }
        defer { pool.stop() }
        let miner = try Witness(to: pool.port)
        miner.connection.send(line: "hello")
        let words =
            "reset by the pool before it sent anything; it may want TLS (--tls, stratum+ssl://) or another login"
        #expect(await miner.linesAndReason().reason == words)
    }

    @Test func closesOnceHoweverOftenAndFromWhereverAsked() async throws {
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        for _ in 0..<50 {
            let miner = try Witness(to: pool.port)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        miner.connection.send(line: "x")
                        miner.connection.close()
                        miner.connection.closeAfterFlush()
                    }
                }
            }
            let ends = await miner.all().filter { if case .closed = $0 { true } else { false } }
            #expect(ends == [.closed(reason: "closed by this side")])
        }
    }

    @Test func saysNothingAfterACancel() async throws {
        let (ends, sink) = AsyncStream.makeStream(of: String.self)
        let pool = try TestPool { connection, event in
            switch event {
            case .connected: connection.send(line: "one\ntwo\nthree")
            case .line: break
            case .closed(let reason): sink.yield(reason)
            }
        }
        defer { pool.stop() }
        let heard = Locked<[ConnectionEvent]>([])
        let connection = Connection(to: try PoolAddress(host: "127.0.0.1", port: pool.port))
        connection.start { [weak connection] event in
            heard.withLock { $0.append(event) }
            if event == .line(Array("two".utf8)) { connection?.cancel() }
        }
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(heard.withLock { $0 }.dropFirst() == [.line(Array("one".utf8)), .line(Array("two".utf8))])
        withExtendedLifetime(connection) {}
    }

    @Test func hangsUpWhenItsOwnerLetsGo() async throws {
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        var connection: Connection? = Connection(to: try PoolAddress(host: "127.0.0.1", port: pool.port))
        let (connected, sink) = AsyncStream.makeStream(of: ConnectionEvent.self)
        connection?.start { sink.yield($0) }
        var iterator = connected.makeAsyncIterator()
        _ = await iterator.next()
        connection = nil
        while pool.witnesses.isEmpty { await Task.yield() }
        #expect(await pool.witnesses.first?.linesAndReason().reason == "closed by the miner")
        #expect(connection == nil)
    }
}
