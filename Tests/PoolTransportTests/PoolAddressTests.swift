import PoolTransport
import Testing

@Suite struct PoolAddressTests {
    @Test(arguments: [
        ("pool.example:4444", "pool.example:4444"),
        ("pool.example", "pool.example:3333"),
        ("Pool.Example.:1", "pool.example.:1"),
        ("stratum+tcp://pool.example:65535", "pool.example:65535"),
        ("STRATUM+TCP://pool.example", "pool.example:3333"),
        ("tcp://10.0.0.1:3333", "10.0.0.1:3333"),
        ("stratum+tcp://pool.example:1/", "pool.example:1"),
        ("[::1]:4444", "[::1]:4444"),
        ("[2001:DB8:0:0::0001]", "[2001:db8::1]:3333"),
        ("tcp://[fe80::1%eth0]:5", "[fe80::1%eth0]:5"),
        ("my_pool-1:00080", "my_pool-1:80"),
        ("stratum+ssl://pool.example:443", "stratum+ssl://pool.example:443"),
        ("Stratum+TLS://[::1]", "stratum+ssl://[::1]:3333"),
        ("ssl://p:1", "stratum+ssl://p:1"),
        ("tls://p:1/", "stratum+ssl://p:1"),
        ("stratums://p", "stratum+ssl://p:3333"),
    ])
    func readsAndPrintsCanonically(text: String, canonical: String) throws {
        let address = try PoolAddress(parsing: text)
        #expect(address.description == canonical)
        #expect(try PoolAddress(parsing: canonical) == address)
    }

    @Test(arguments: [
        ("", PoolAddressError.empty),
        (" pool.example:1", .blank(value: " pool.example:1")),
        ("pool.example:1\u{1b}", .controlCharacter(value: "pool.example:1\u{1b}")),
        ("pool.example:1\t", .controlCharacter(value: "pool.example:1\t")),
        ("p\u{9b}2J", .controlCharacter(value: "p\u{9b}2J")),
        ("p\u{a0}:1", .blank(value: "p\u{a0}:1")),
        ("stratum+udp://p:1", .scheme("stratum+udp", value: "stratum+udp://p:1")),
        ("https://p:1", .scheme("https", value: "https://p:1")),
        ("://p:1", .scheme("", value: "://p:1")),
        ("wallet:secret@p:1", .userInfo(host: "p:1")),
        ("tcp://p:1//", .path(value: "tcp://p:1//")),
        ("tcp://p:1/x/", .path(value: "tcp://p:1/x/")),
        ("p:1?x", .path(value: "p:1?x")),
        ("::1", .brackets(value: "::1")),
        ("p:1:2", .brackets(value: "p:1:2")),
        ("[::1", .brackets(value: "[::1")),
        ("[::1]3333", .brackets(value: "[::1]3333")),
        ("[pool.example]:1", .brackets(value: "[pool.example]:1")),
        (":3333", .noHost),
        ("tcp://", .noHost),
        ("tcp:///", .noHost),
        ("p:0", .port(value: "p:0", port: "0")),
        ("p:65536", .port(value: "p:65536", port: "65536")),
        ("p:", .port(value: "p:", port: "")),
        ("p:-1", .port(value: "p:-1", port: "-1")),
        ("p:+1", .port(value: "p:+1", port: "+1")),
        ("p:٣", .port(value: "p:٣", port: "٣")),
        ("[::g]:1", .host(value: "::g")),
        ("[::1%]:1", .host(value: "::1%")),
        ("-p:1", .host(value: "-p")),
        ("a..b:1", .host(value: "a..b")),
        (".:1", .host(value: ".")),
        ("pöol:1", .host(value: "pöol")),
        ("1.2.3.4.5:1", .host(value: "1.2.3.4.5")),
        ("300.1.1.1:1", .host(value: "300.1.1.1")),
        ("127.1:1", .host(value: "127.1")),
    ])
    func refusesWhatIsNoAddress(text: String, error: PoolAddressError) {
        #expect(throws: error) { try PoolAddress(parsing: text) }
    }

    @Test func refusesNamesBeyondTheirLimits() throws {
        let longest = String(repeating: "abcdefg.", count: 31) + "abcde"
        #expect(longest.utf8.count == 253)
        #expect(try PoolAddress(parsing: longest).host == longest)
        #expect(throws: PoolAddressError.longHost(bytes: 254)) { try PoolAddress(parsing: longest + "f") }
        let label = String(repeating: "a", count: 64)
        #expect(throws: PoolAddressError.host(value: label)) { try PoolAddress(parsing: label) }
    }

    @Test func knowsWhetherTLSIsMeant() throws {
        #expect(try PoolAddress(parsing: "stratum+ssl://p:1").usesTLS)
        #expect(try !PoolAddress(parsing: "stratum+tcp://p:1").usesTLS)
        #expect(try PoolAddress(parsing: "ssl://p:1") != PoolAddress(parsing: "p:1"))
    }

    @Test func neverPrintsAUserOrControlCharacters() {
        let user = #expect(throws: PoolAddressError.self) { try PoolAddress(parsing: "abLoc5secret:x@p:1") }
        #expect(user?.description.contains("secret") == false)
        let blank = #expect(throws: PoolAddressError.self) { try PoolAddress(parsing: "p\u{1b}[2J") }
        #expect(blank?.description.contains("\u{1b}") == false)
    }

    @Test func takesABareHostWithAPort() throws {
        #expect(try PoolAddress(host: "::1", port: 7).description == "[::1]:7")
        #expect(try PoolAddress(host: "p", port: nil).port == PoolAddress.defaultPort)
        #expect(throws: PoolAddressError.self) { try PoolAddress(host: "p", port: 0) }
    }
}
