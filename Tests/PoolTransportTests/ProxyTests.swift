import Testing

@testable import PoolTransport

@Suite(.timeLimit(.minutes(1))) struct ProxyTests {
    private static let bound: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    /// A connection to pool.example by way of `server`.
    private func connection(
        through server: ScriptedServer,
        login: String = "",
        tls: TLSPolicy? = nil,
        limits: ConnectionLimits = ConnectionLimits()
    ) throws -> Connection {
        var address = try PoolAddress(host: "pool.example", port: 3333)
        address.usesTLS = tls != nil
        let proxy = try ProxyAddress(parsing: "socks5://\(login)127.0.0.1:\(server.port)")
        let route = PoolRoute(to: address, tls: tls ?? .systemAuthorities, proxy: proxy)
        return Connection(over: route, limits: limits)
    }

    /// The client's request for pool.example:3333.
    private static let request: [UInt8] = [5, 1, 0, 3, 12] + Array("pool.example".utf8) + [0x0d, 5]

    @Test func carriesLinesThoughTheReplyBringsThemAlong() async throws {
        let (requests, sink) = AsyncStream.makeStream(of: [UInt8].self)
        let server = ScriptedServer { peer in
            sink.yield(peer.read(exactly: 3))
            peer.write([5, 0])
            sink.yield(peer.read(exactly: Self.request.count))
            peer.write(Self.bound + Array("a job\n".utf8))
            peer.write(peer.read(exactly: 6))
        }
        let miner = Witness(try connection(through: server))
        miner.connection.send(line: "login")
        var events = miner.events.makeAsyncIterator()
        #expect(await events.next() == .connected(remote: "proxy 127.0.0.1:\(server.port)"))
        #expect(await events.next() == .line(Array("a job".utf8)))
        #expect(await events.next() == .line(Array("login".utf8)))
        #expect(await events.next() == .closed(reason: "closed by the pool"))
        var heard = requests.makeAsyncIterator()
        #expect(await heard.next() == [5, 1, 0])
        #expect(await heard.next() == Self.request)
    }

    @Test func logsInAndSpeaksTLSInside() async throws {
        let certificate = try TestCertificate()
        let credentials: [UInt8] = [1, 1] + Array("u".utf8) + [2] + Array("pw".utf8)
        let server = ScriptedServer { peer in
            guard peer.read(exactly: 4) == [5, 2, 0, 2] else { return }
            for byte: UInt8 in [5, 2] { peer.write([byte]) }
            guard peer.read(exactly: credentials.count) == credentials else { return }
            for byte: UInt8 in [1, 0] { peer.write([byte]) }
            guard peer.read(exactly: Self.request.count) == Self.request else { return }
            for byte in Self.bound { peer.write([byte]) }
            guard peer.startTLS(certificate) else { return }
            peer.write("hello \(peer.serverName ?? "nobody")\n")
        }
        let miner = Witness(try connection(through: server, login: "u:pw@", tls: try certificate.policy()))
        var events = miner.events.makeAsyncIterator()
        guard case .connected(_, let security?) = await events.next() else {
            Issue.record("not connected")
            return
        }
        #expect(security.version == "TLS 1.3")
        #expect(await events.next() == .line(Array("hello pool.example".utf8)))
    }

    @Test func namesWhoEndedItAndWhen() async throws {
        let replies: [([[UInt8]], String)] = [
            ([], "closed by the proxy during the proxy's greeting"),
            ([[5]], "closed by the proxy during the proxy's greeting"),
            ([[5, 0]], "closed by the proxy before the proxy had reached the pool"),
            ([[5, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0]], "closed by the proxy before the proxy had reached the pool"),
            ([[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]], "the proxy says: the pool refused the connection"),
            ([[5, 0xff]], "the proxy takes nobody without a login, perhaps a user and password"),
            ([[4, 0]], "what answers is no SOCKS5 proxy"),
        ]
        for (reply, words) in replies {
            let server = ScriptedServer { peer in
                for (message, bytes) in zip(reply, [3, Self.request.count]) {
                    _ = peer.read(exactly: bytes)
                    peer.write(message)
                }
                if reply.isEmpty { _ = peer.read(exactly: 3) }
                if reply.count == 1, reply == [[5, 0]] { _ = peer.read(exactly: Self.request.count) }
            }
            #expect(await Witness(try connection(through: server)).all() == [.closed(reason: words)])
        }
        let silent = ScriptedServer { peer in
            _ = peer.read(exactly: 3)
            peer.write([5, 0])
            _ = peer.read(exactly: Self.request.count)
            peer.write(Self.bound)
            _ = peer.read()
        }
        let ended = await Witness(try connection(through: silent, tls: .insecure)).linesAndReason()
        #expect(ended.reason.hasPrefix("closed by the pool during the TLS handshake"))
    }

    @Test func doesNotWaitForEverForTheProxy() async throws {
        let silent = ScriptedServer { _ = $0.read(exactly: 100) }
        var limits = ConnectionLimits()
        limits.greetingTimeout = .milliseconds(30)
        let events = await Witness(try connection(through: silent, limits: limits)).all()
        #expect(events == [.closed(reason: "timed out during the proxy's greeting")])
    }

    @Test func saysThatTheProxyIsNotThere() async throws {
        let refusing = DeafPort(backlog: nil)
        let proxy = try ProxyAddress(parsing: "127.0.0.1:\(refusing.port)")
        let route = PoolRoute(to: try PoolAddress(host: "pool.example", port: 1), proxy: proxy)
        let words = "the proxy can't be reached: refused (127.0.0.1:\(refusing.port))"
        #expect(await Witness(Connection(over: route)).all() == [.closed(reason: words)])
        withExtendedLifetime(refusing) {}
    }
}
