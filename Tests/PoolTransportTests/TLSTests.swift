import COpenSSL
import Testing

@testable import PoolTransport

@Suite(.timeLimit(.minutes(2))) struct TLSTests {
    /// A connection to `server` under the name `host`, which is not looked up.
    private func connection(
        to server: ScriptedServer,
        as host: String = "pool.example",
        _ policy: TLSPolicy,
        limits: ConnectionLimits = ConnectionLimits()
    ) throws -> Connection {
        var address = try PoolAddress(host: host, port: server.port)
        address.usesTLS = true
        let loopback = SocketAddress(loopback: .ipv4, port: server.port)
        let route = PoolRoute(to: address, tls: policy)
        return Connection(over: route, limits: limits, queue: nil) { _ in .success([loopback]) }
    }

    /// A connection's events, the client closing as soon as it is connected.
    private func outcome(
        with certificate: TestCertificate,
        chain: [TestCertificate] = [],
        as host: String = "pool.example",
        _ policy: TLSPolicy
    ) async throws -> [ConnectionEvent] {
        let server = ScriptedServer { peer in
            guard peer.startTLS(certificate, chain: chain) else { return }
            while !peer.read().isEmpty {}
        }
        let miner = Witness(try connection(to: server, as: host, policy)) { connection, event in
            if case .connected = event { connection.close() }
        }
        return await miner.all()
    }

    private func reason(
        with certificate: TestCertificate,
        chain: [TestCertificate] = [],
        as host: String = "pool.example",
        _ policy: TLSPolicy = .systemAuthorities
    ) async throws -> String {
        let events = try await outcome(with: certificate, chain: chain, as: host, policy)
        guard events.count == 1, case .closed(let reason) = events[0] else { return "connected" }
        return reason
    }

    @Test(arguments: [(TLS1_2_VERSION, "TLS 1.2"), (TLS1_3_VERSION, "TLS 1.3")])
    func carriesLinesBothWays(version: Int32, shown: String) async throws {
        let authority = try TestCertificate { $0.isAuthority = true }
        let certificate = try TestCertificate { $0.issuer = authority }
        let long = String(repeating: "x", count: 60_000)
        let server = ScriptedServer { peer in
            guard peer.startTLS(certificate, versions: version...version) else { return }
            peer.write("name \(peer.serverName ?? "none")\n\(long)\nhalf")
            let heard = peer.read(exactly: 6)
            peer.write(" a line\n" + String(decoding: heard, as: UTF8.self))
            while !peer.read().isEmpty {}
            peer.write("\(peer.hasHeardFarewell)\n")
        }
        let policy = try authority.policy()
        let miner = Witness(try connection(to: server, policy))
        miner.connection.send(line: "login")
        var events = miner.events.makeAsyncIterator()
        guard case .connected(let remote, let security?) = await events.next() else {
            Issue.record("not connected")
            return
        }
        #expect(remote == "127.0.0.1:\(server.port)")
        #expect(security.version == shown)
        #expect(security.policy == policy)
        #expect(security.fingerprint.description == certificate.fingerprint)
        #expect(security.description.hasPrefix("\(shown), certificate verified for pool.example by /"))
        for line in ["name pool.example", long, "half a line", "login"] {
            #expect(await events.next() == .line(Array(line.utf8)))
        }
        miner.connection.close()
        #expect(await events.next() == .closed(reason: "closed by this side"))
    }

    @Test func endsInAnOrderlyWayInBothDirections() async throws {
        let certificate = try TestCertificate()
        let (farewells, sink) = AsyncStream.makeStream(of: Bool.self)
        let server = ScriptedServer { peer in
            guard peer.startTLS(certificate) else { return }
            peer.write("last words\n")
            peer.sayFarewell()
            while !peer.read().isEmpty {}
            sink.yield(peer.hasHeardFarewell)
        }
        let miner = Witness(try connection(to: server, .insecure))
        let heard = await miner.linesAndReason()
        #expect(heard.lines == ["last words"])
        #expect(heard.reason == "closed by the pool")
        var iterator = farewells.makeAsyncIterator()
        #expect(await iterator.next() == true)
        for flushing in [true, false] {
            let listener = ScriptedServer { peer in
                guard peer.startTLS(certificate) else { return }
                while !peer.read().isEmpty {}
                sink.yield(peer.hasHeardFarewell)
            }
            let miner = Witness(try connection(to: listener, .insecure)) { connection, event in
                guard case .connected = event else { return }
                connection.send(line: "bye")
                if flushing { connection.closeAfterFlush() } else { connection.close() }
            }
            _ = await miner.all()
            #expect(await iterator.next() == true)
        }
    }

    @Test func verifiesNumericAddressesAndNamesNobodyThen() async throws {
        let certificate = try TestCertificate()
        let server = ScriptedServer { peer in
            if peer.startTLS(certificate) { peer.write("\(peer.serverName ?? "none")\n") }
        }
        let policy = try certificate.policy()
        #expect(await Witness(try connection(to: server, as: "127.0.0.1", policy)).linesAndReason().lines == ["none"])
        let named = await Witness(try connection(to: server, as: "pool.example.", policy)).linesAndReason()
        #expect(named.lines == ["pool.example"])
        let wrong = try await reason(with: certificate, as: "127.0.0.2", policy)
        #expect(wrong.hasPrefix("the pool's certificate is not for 127.0.0.2: it is for DNS:pool.example, IP Address:"))
        let sixth = try TestCertificate { $0.names = "IP:fe80::1" }
        let zoned = try await outcome(with: sixth, as: "fe80::1%eth0", try sixth.policy())
        #expect(zoned.count == 2)
    }

    @Test func refusesASelfSignedCertificateAndSaysHowToPinIt() async throws {
        let certificate = try TestCertificate()
        let fingerprint = certificate.fingerprint
        let refusal = try await reason(with: certificate)
        let advice = "to trust just this one: --tls-fingerprint \(fingerprint)"
        #expect(refusal == "the pool's certificate is self-signed; \(advice)")
        let pinned = try TLSPolicy.pinned(CertificateFingerprint(parsing: fingerprint.uppercased()))
        let events = try await outcome(with: certificate, as: "another.example", pinned)
        guard case .connected(_, let security?) = events.first else {
            Issue.record("not connected: \(events)")
            return
        }
        #expect(security.description == "TLS 1.3, certificate as pinned")
    }

    @Test func refusesAnyOtherThanThePinnedCertificate() async throws {
        let authority = try TestCertificate { $0.isAuthority = true }
        let certificate = try TestCertificate { $0.issuer = authority }
        let other = try CertificateFingerprint(parsing: authority.fingerprint)
        let refusal = try await reason(with: certificate, chain: [authority], .pinned(other))
        #expect(
            refusal
                == "the pool's certificate is not the pinned one: it has \(certificate.fingerprint), not \(other)"
        )
    }

    @Test func looksAtNothingWhenInsecure() async throws {
        let certificate = try TestCertificate {
            $0.days = -9 ... -2
            $0.names = ""
        }
        let events = try await outcome(with: certificate, .insecure)
        guard case .connected(_, let security?) = events.first else {
            Issue.record("not connected: \(events)")
            return
        }
        #expect(security.description == "TLS 1.3, certificate not verified")
    }

    @Test func refusesAnUnknownAuthority() async throws {
        let authority = try TestCertificate { $0.isAuthority = true }
        let certificate = try TestCertificate { $0.issuer = authority }
        let advice =
            "(--tls-ca FILE); to trust just this one: --tls-fingerprint \(certificate.fingerprint)"
        let words = "no authority trusted here signed the pool's certificate \(advice)"
        #expect(try await reason(with: certificate) == words)
        #expect(try await reason(with: certificate, chain: [authority]) == words)
        let stranger = try TestCertificate { $0.isAuthority = true }
        // Same name, other key.
        #expect(try await reason(with: certificate, stranger.policy()) != "connected")
        #expect(try await reason(with: certificate, chain: [authority], authority.policy()) == "connected")
    }

    @Test func saysWhenACertificateHolds() async throws {
        let expired = try TestCertificate { $0.days = -20_000 ... -10_000 }
        let late = try await reason(with: expired, try expired.policy())
        #expect(late.contains(/^the pool's certificate expired on \d{4}-\d\d-\d\d$/))
        let early = try TestCertificate { $0.days = 2...3 }
        let soon = try await reason(with: early, try early.policy())
        #expect(soon.contains(/^the pool's certificate is not valid before \d{4}-\d\d-\d\d; is the clock right\?$/))
        let authority = try TestCertificate {
            $0.isAuthority = true
            $0.days = -9 ... -2
        }
        let below = try TestCertificate { $0.issuer = authority }
        let old = try await reason(with: below, try authority.policy())
        #expect(old.contains(/^the certificate of the pool's authority expired on \d{4}-\d\d-\d\d$/))
    }

    @Test func refusesACertificateForAnotherHost() async throws {
        let certificate = try TestCertificate { $0.names = "DNS:a.example,DNS:*.b.example" }
        let policy = try certificate.policy()
        let words = "the pool's certificate is not for c.b.b.example: it is for DNS:a.example, DNS:*.b.example"
        #expect(try await reason(with: certificate, as: "c.b.b.example", policy) == words)
        #expect(try await reason(with: certificate, as: "c.b.example", policy) == "connected")
        let nameless = try TestCertificate { $0.names = "" }
        let unnamed = try await reason(with: nameless, try nameless.policy())
        #expect(unnamed == "the pool's certificate is not for pool.example: it is for CN = A Pool")
    }

    @Test func sendsNothingToAPoolThatDidNotProveItself() async throws {
        let certificate = try TestCertificate()
        let (greetings, sink) = AsyncStream.makeStream(of: Bool.self)
        let server = ScriptedServer { peer in
            // With TLS 1.2 the server's greeting is over only after the client has judged.
            sink.yield(peer.startTLS(certificate, versions: TLS1_2_VERSION...TLS1_2_VERSION))
            sink.finish()
        }
        let miner = Witness(try connection(to: server, .systemAuthorities))
        miner.connection.send(line: "a secret")
        #expect(await miner.all().count == 1)
        for await hasAgreed in greetings { #expect(!hasAgreed) }
    }

    @Test func refusesATLSThatIsTooOld() async throws {
        let certificate = try TestCertificate()
        let server = ScriptedServer { peer in
            _ = peer.startTLS(certificate, versions: TLS1_VERSION...TLS1_1_VERSION)
        }
        let reason = await Witness(try connection(to: server, .insecure)).linesAndReason().reason
        #expect(reason == "the pool's TLS is too old: 1.2 or 1.3 is needed")
    }

    @Test(arguments: [
        (
            "{\"error\":\"\u{1b}[2J",
            "the pool speaks without TLS on this port: use stratum+tcp://; it said \"{\"error\":\"\""
        ),
        ("HTTP/1.1 400 Bad Request\r\n", "an HTTP server answers on this port, without TLS, not a Stratum pool"),
        ("", "closed by the pool during the TLS handshake; perhaps the port is without TLS (stratum+tcp://)"),
    ])
    func recognisesAPortWithoutTLS(answer: String, words: String) async throws {
        let server = ScriptedServer { peer in
            _ = peer.read()
            peer.write(answer)
        }
        let miner = Witness(try connection(to: server, .systemAuthorities))
        #expect(await miner.all() == [.closed(reason: words)])
    }

    @Test func doesNotWaitForEverForTheHandshake() async throws {
        let deaf = DeafPort(backlog: 5)
        var limits = ConnectionLimits()
        limits.greetingTimeout = .milliseconds(30)
        var address = try PoolAddress(host: "127.0.0.1", port: deaf.port)
        address.usesTLS = true
        let words = "timed out during the TLS handshake; perhaps the port is without TLS (stratum+tcp://)"
        #expect(await Witness(Connection(to: address, limits: limits)).all() == [.closed(reason: words)])
        withExtendedLifetime(deaf) {}
    }

    @Test func recognisesAPortWithTLS() async throws {
        let certificate = try TestCertificate()
        let server = ScriptedServer { _ = $0.startTLS(certificate) }
        let alerting = ScriptedServer { peer in
            _ = peer.read()
            peer.write([0x15, 3, 3, 0, 2, 2, 70])
        }
        let miner = try Witness(to: server.port)
        miner.connection.send(line: "login")
        let reason = await miner.linesAndReason().reason
        let words = "by the pool before it sent anything; it may want TLS (--tls, stratum+ssl://) or another login"
        #expect(["closed \(words)", "reset \(words)"].contains(reason))
        let alerted = try Witness(to: alerting.port)
        alerted.connection.send(line: "login")
        #expect(
            await alerted.linesAndReason().reason == "the pool speaks TLS on this port: use --tls or stratum+ssl://"
        )
    }

    @Test func endsOnADamagedRecord() async throws {
        let certificate = try TestCertificate()
        let server = ScriptedServer { peer in
            guard peer.startTLS(certificate) else { return }
            peer.write("fine\n")
            peer.writeRaw([0x17, 3, 3, 0, 40] + [UInt8](repeating: 7, count: 40))
            while !peer.read().isEmpty {}
        }
        let heard = await Witness(try connection(to: server, .insecure)).linesAndReason()
        #expect(heard.lines == ["fine"])
        #expect(heard.reason.hasPrefix("TLS: "))
    }

    @Test func survivesRandomRecords() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<300 {
            var layer = TLSLayer(.insecure, host: "pool.example")
            #expect(layer.connected().toPeer.first == TLSRecord.handshake)
            let body = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // Half of them with a good record's and message's beginning.
            let head: [UInt8] =
                round.isMultiple(of: 2)
                ? [
                    0x16, 3, 3, 0, UInt8(truncatingIfNeeded: body.count), 2, 0, 0,
                    UInt8(truncatingIfNeeded: body.count - 4),
                ]
                : [0x16]
            var rest = (head + body)[...]
            while !rest.isEmpty {
                let output = layer.received(Array(rest.prefix(50)))
                #expect(output.fromPeer.isEmpty)
                if output.end != nil { break }
                rest = rest.dropFirst(50)
            }
            #expect(!layer.isReady)
        }
    }
}

@Suite struct CertificateFileTests {
    @Test func readsEveryCertificateOfAFile() throws {
        let (first, second) = (try TestCertificate(), try TestCertificate())
        let text = Array("a comment\n".utf8) + first.pem + Array("more\n".utf8) + second.pem
        #expect(try TestCertificate.authorities(in: text).certificates.count == 2)
    }

    @Test func saysWhyAFileIsOfNoUse() throws {
        for (path, words) in [("/nowhere/ca.pem", "can't be read: No such file"), ("/tmp", "is not an ordinary file")] {
            let error = #expect(throws: CertificateFileError.self) { try CertificateAuthorities(file: path) }
            #expect(error?.description.hasPrefix("the file \(path) \(words)") == true)
        }
        for text in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            let error = #expect(throws: CertificateFileError.self) {
                try TestCertificate.authorities(in: Array(text.utf8))
            }
            #expect(error?.description.hasSuffix("holds no PEM certificate") == true)
        }
    }
}

@Suite struct CertificateFingerprintTests {
    private static let digits = String(repeating: "0aF3", count: 16)

    @Test func readsColonsAndEitherCase() throws {
        let colons = (0..<16).map { _ in "0a:f3" }.joined(separator: ":")
        for text in [Self.digits, Self.digits.uppercased(), colons] {
            #expect(try CertificateFingerprint(parsing: text).description == Self.digits.lowercased())
        }
    }

    @Test(arguments: [
        ("", CertificateFingerprintError.length(digits: 0)), (digits + "00", .length(digits: 66)),
        (String(repeating: "ab", count: 20), .length(digits: 40)), (String(repeating: "0g", count: 32), .notHex),
        ("0aF:30" + digits.dropFirst(5), .misplacedColon), (digits + ":", .misplacedColon),
        (":" + digits, .misplacedColon), ("0a:f3", .length(digits: 4)),
    ])
    func refusesWhatIsNoFingerprint(text: String, error: CertificateFingerprintError) {
        #expect(throws: error) { try CertificateFingerprint(parsing: text) }
    }
}
