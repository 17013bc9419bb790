import Testing

@testable import PoolTransport

@Suite(.timeLimit(.minutes(1))) struct DiallingTests {
    private func outcome(
        of addresses: Result<[SocketAddress], NameLookupFailure>,
        over route: PoolRoute? = nil,
        timeout: Duration = .seconds(20)
    ) async throws -> [ConnectionEvent] {
        var limits = ConnectionLimits()
        limits.connectTimeout = timeout
        return try await outcome(over: route, limits) { _ in addresses }
    }

    private func outcome(
        over route: PoolRoute? = nil,
        _ limits: ConnectionLimits = ConnectionLimits(),
        resolver: @escaping NameLookup.Resolver
    ) async throws -> [ConnectionEvent] {
        let route = try route ?? Self.route()
        let connection = Connection(over: route, limits: limits, queue: nil, resolver: resolver)
        let miner = Witness(connection) { connection, event in
            if case .connected = event { connection.close() }
        }
        return await miner.all()
    }

    private static func route() throws -> PoolRoute { PoolRoute(to: try PoolAddress(host: "pool.example", port: 3333)) }

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

    @Test func triesTheNextAddressWhileOneIsSilent() async throws {
        let silent = try await SilentPort()
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        let addresses = [silent.port, silent.port, pool.port].map { SocketAddress(loopback: .ipv4, port: $0) }
        let start = ContinuousClock.now
        let events = try await outcome(of: .success(addresses))
        #expect(events.first == .connected(remote: "127.0.0.1:\(pool.port)"))
        // Two steps of 200 ms; the kernel would go on with a silent address for minutes.
        #expect(start.duration(to: .now) >= .milliseconds(400))
        #expect(start.duration(to: .now) < .seconds(10))
        withExtendedLifetime(silent) {}
    }

    @Test func triesBothFamiliesInTurn() {
        func address(_ family: LoopbackFamily, _ port: UInt16) -> SocketAddress {
            SocketAddress(loopback: family, port: port)
        }
        let found = [
            address(.ipv6, 1), address(.ipv6, 2), address(.ipv6, 3), address(.ipv4, 4), address(.ipv6, 5),
            address(.ipv4, 6),
        ]
        #expect(found.familiesInTurn.map(\.port) == [1, 4, 2, 6, 3, 5])
        #expect(found.reversed().familiesInTurn.map(\.port) == [6, 5, 4, 3, 2, 1])
        #expect([SocketAddress]().familiesInTurn.isEmpty)
    }

    @Test func goesWhereItWentBeforeIfTheNameIsNotFoundAnyMore() async throws {
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        let alive = SocketAddress(loopback: .ipv4, port: pool.port)
        let route = try Self.route()
        let failure = NameLookupFailure(reason: "the name server does not answer")
        #expect(try await outcome(of: .failure(failure), over: route) == [.closed(reason: failure.reason)])
        #expect(try await outcome(of: .success([alive]), over: route).count == 2)
        for found: Result<[SocketAddress], NameLookupFailure> in [.failure(failure), .success([])] {
            let events = try await outcome(of: found, over: route)
            #expect(events.first == .connected(remote: "127.0.0.1:\(pool.port)"))
        }
        let refusing = DeafPort(backlog: nil)
        route.remember(SocketAddress(loopback: .ipv4, port: refusing.port))
        let words = "\(failure.reason); refused (127.0.0.1:\(refusing.port))"
        #expect(try await outcome(of: .failure(failure), over: route) == [.closed(reason: words)])
        withExtendedLifetime(refusing) {}
    }

    @Test func goesWhereItWentBeforeIfTheLookupHangs() async throws {
        let pool = try TestPool { _, _ in }
        defer { pool.stop() }
        let route = try Self.route()
        route.remember(SocketAddress(loopback: .ipv4, port: pool.port))
        var limits = ConnectionLimits()
        limits.lookupTimeout = .milliseconds(20)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let blocked = Blockade()
        let events = try await outcome(over: route, limits) { _ in
            blocked.wait()
            opener.finish()
            return .success([])
        }
        #expect(events.first == .connected(remote: "127.0.0.1:\(pool.port)"))
        blocked.lift()
        for await _ in gate {}
    }

    @Test func forgetsAnAddressThatDidNotProveItself() async throws {
        let certificate = try TestCertificate()
        let server = ScriptedServer { _ = $0.startTLS(certificate) }
        var address = try PoolAddress(host: "pool.example", port: server.port)
        address.usesTLS = true
        let route = PoolRoute(to: address)
        let found = [SocketAddress(loopback: .ipv4, port: server.port)]
        #expect(try await outcome(of: .success(found), over: route).count == 1)
        #expect(route.lastReached == nil)
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
        let blocked = Blockade()
        let connection = Connection(over: try Self.route(), limits: limits, queue: nil) { _ in
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
