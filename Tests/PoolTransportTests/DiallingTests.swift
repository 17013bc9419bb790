import Testing

@testable import PoolTransport

@Suite(.timeLimit(.minutes(1))) struct DiallingTests {
    private func outcome(
        of addresses: Result<[SocketAddress], NameLookupFailure>,
        timeout: Duration = .seconds(20)
    ) async throws -> [ConnectionEvent] {
        var limits = ConnectionLimits()
        limits.connectTimeout = timeout
        let address = try PoolAddress(host: "pool.example", port: 3333)
        let connection = Connection(to: address, limits: limits, queue: nil) { _ in addresses }
        let miner = Witness(connection) { connection, event in
            if case .connected = event { connection.close() }
        }
        return await miner.all()
    }

    @Test func reportsARefusal() async throws {
        let refusing = DeafPort(backlog: nil)
        let events = try await Witness(to: refusing.port).all()
        #expect(events == [.closed(reason: "refused (127.0.0.1:\(refusing.port))")])
        withExtendedLifetime(refusing) {}
    }

    @Test func reportsANameThatIsNotFound() async throws {
        let failure = NameLookupFailure(reason: "name not found")
        #expect(try await outcome(of: .failure(failure)) == [.closed(reason: "name not found")])
        #expect(try await outcome(of: .success([])) == [.closed(reason: "name not found")])
    }

    @Test func triesEveryAddressInTurn() async throws {
        let refusing = DeafPort(backlog: nil)
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        let dead = SocketAddress(loopback: .ipv4, port: refusing.port)
        let alive = SocketAddress(loopback: .ipv4, port: pool.port)
        let good = try await outcome(of: .success([dead, alive]))
        #expect(good.first == .connected(remote: "127.0.0.1:\(pool.port)"))
        let bad = try await outcome(of: .success([dead, dead]))
        let words = "refused (127.0.0.1:\(refusing.port))"
        #expect(bad == [.closed(reason: "\(words); \(words)")])
        withExtendedLifetime(refusing) {}
    }

    @Test func leavesTimeForTheAddressesAfterASilentOne() async throws {
        let silent = try await SilentPort()
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        let addresses = [
            SocketAddress(loopback: .ipv4, port: silent.port), SocketAddress(loopback: .ipv4, port: pool.port),
        ]
        let events = try await outcome(of: .success(addresses), timeout: .milliseconds(400))
        #expect(events.first == .connected(remote: "127.0.0.1:\(pool.port)"))
        withExtendedLifetime(silent) {}
    }

    @Test func timesOut() async throws {
        let silent = try await SilentPort()
        let address = SocketAddress(loopback: .ipv4, port: silent.port)
        let events = try await outcome(of: .success([address]), timeout: .milliseconds(30))
        #expect(events == [.closed(reason: "timed out (127.0.0.1:\(silent.port))")])
        withExtendedLifetime(silent) {}
    }

    @Test func timesOutLookingUpAName() async throws {
        var limits = ConnectionLimits()
        limits.connectTimeout = .milliseconds(20)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let address = try PoolAddress(host: "pool.example", port: 3333)
        let blocked = Blockade()
        let connection = Connection(to: address, limits: limits, queue: nil) { _ in
            blocked.wait()
            opener.finish()
            return .success([])
        }
        #expect(await Witness(connection).all() == [.closed(reason: "timed out looking up the name")])
        blocked.lift()
        for await _ in gate {}
    }

    @Test func closesWhileDialling() async throws {
        let silent = try await SilentPort()
        let miner = try Witness(to: silent.port)
        miner.connection.close()
        #expect(await miner.all() == [.closed(reason: "closed by this side")])
        withExtendedLifetime(silent) {}
    }

    @Test func looksUpNumericAddresses() throws {
        for (host, shown) in [("127.0.0.1", "127.0.0.1:9"), ("::1", "[::1]:9")] {
            let found = try NameLookup.system(PoolAddress(host: host, port: 9)).get()
            #expect(found.map(\.description) == [shown])
        }
    }
}
