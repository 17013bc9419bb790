import BlocMiner
import Testing

@testable import blocminer

struct TransportOptionTests {
    private static let fingerprint = String(repeating: "0a:F3:", count: 15) + "0a:F3"

    private func settings(_ arguments: [String], pool: String = "h:1") throws -> MineSettings {
        let arguments = ["-o", pool, "-u", "me"] + arguments
        guard case .run(let settings, _) = try ArgumentParser.parse(arguments, by: MineCommand.manual) else {
            throw CommandError.failure("not to be run")
        }
        return settings
    }

    private func pool(_ arguments: [String]) throws -> PoolConfiguration {
        try #require(try settings(arguments).configuration().pools.first)
    }

    @Test func usesTLSOnlyWhereAsked() throws {
        #expect(try !pool([]).address.usesTLS)
        #expect(try pool([]).proxy == nil)
        let named = try #require(try settings([], pool: "stratum+ssl://h:1").configuration().pools.first)
        #expect(named.address.usesTLS)
        #expect(named.tls == .systemAuthorities)
    }

    @Test func readsEveryWayToTrustAPool() throws {
        let pin = try TLSPolicy.pinned(CertificateFingerprint(parsing: Self.fingerprint))
        for (arguments, policy) in [
            (["--tls"], TLSPolicy.systemAuthorities), (["--tls-fingerprint", Self.fingerprint], pin),
            (["--tls-insecure"], .insecure), (["--tls-fingerprint=" + Self.fingerprint, "--tls"], pin),
        ] {
            let pool = try pool(arguments)
            #expect(pool.tls == policy)
            #expect(pool.address.description == "stratum+ssl://h:1")
        }
    }

    @Test func warnsOfATrustThatIsBlind() throws {
        for (arguments, isWarned) in [(["--tls-insecure"], true), (["--tls"], false)] {
            let settings = try settings(arguments)
            let heading = MineCommand.heading(try settings.configuration(), [nil], settings).map(\.plain)
            #expect(heading.contains { $0.hasPrefix("warning:") && $0.contains("--tls-insecure") } == isWarned)
        }
    }

    @Test func readsAProxyAndHidesItsPassword() throws {
        let settings = try settings(["-x", "socks5://me:hush@proxy"])
        let configuration = try settings.configuration()
        #expect(configuration.pools.first?.proxy?.description == "socks5://proxy:1080")
        let heading = MineCommand.heading(configuration, [nil], settings).map(\.plain)
        #expect(heading.contains("through the proxy socks5://proxy:1080"))
        #expect(!heading.joined().contains("hush"))
    }

    @Test(arguments: [
        (["--tls-ca", "/nowhere/ca.pem"], "the file /nowhere/ca.pem can't be read"), (["--tls-ca", ""], "empty"),
        (["--tls-fingerprint", "0a:f3"], "64 hex digits; this has 4"), (["--proxy", "http://h:1"], "socks5://"),
        (["--proxy", "socks5://u:hush"], "a port from 1 to 65535"), (["--tls=yes"], "takes no value"),
    ])
    func saysWhatIsAllowed(arguments: [String], expected: String) throws {
        let error = #expect(throws: CommandError.self) { try settings(arguments) }
        let message = try #require(error?.message)
        #expect(message.hasPrefix("option '--"))
        #expect(message.contains(expected))
        #expect(!message.contains("hush"))
    }
}
