import Testing

@testable import PoolTransport

@Suite struct SOCKS5GreetingTests {
    private func greeting(
        _ proxy: String = "socks5://p:1",
        to host: String = "pool.example",
        port: UInt16 = 0x0d05
    ) throws -> SOCKS5Greeting {
        SOCKS5Greeting(try ProxyAddress(parsing: proxy), to: try PoolAddress(host: host, port: port))
    }

    private static let name = Array("pool.example".utf8)

    @Test(arguments: [
        ("pool.example", [3, 12] + name), ("10.1.2.3", [1, 10, 1, 2, 3]),
        ("2001:db8::7", [4, 0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [7]),
        ("fe80::1%eth0", [4, 0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]),
    ])
    func asksForThePoolByName(host: String, address: [UInt8]) throws {
        var greeting = try greeting(to: host)
        #expect(greeting.opening == [5, 1, 0])
        let step = try greeting.received([5, 0])
        #expect(step.answer == [5, 1, 0] + address + [0x0d, 5])
        #expect(step.rest.isEmpty && !greeting.isOver)
    }

    @Test func logsInWhereTheProxyWantsIt() throws {
        var login = try greeting("socks5://me%40home:p%3aw:%25@p:1")
        #expect(login.opening == [5, 2, 0, 2])
        #expect(try login.received([5, 2]).answer == [1, 7] + Array("me@home".utf8) + [5] + Array("p:w:%".utf8))
        #expect(try login.received([1, 0]).answer.starts(with: [5, 1, 0, 3]))
        var open = try greeting("socks5://me@p:1")
        #expect(try open.received([5, 0]).answer.starts(with: [5, 1, 0, 3]))
        var empty = try greeting("socks5://me@p:1")
        #expect(try empty.received([5, 2]).answer == [1, 2] + Array("me".utf8) + [0])
    }

    @Test(arguments: [
        [5, 0, 0, 1, 1, 2, 3, 4, 5, 6], [5, 0, 0, 4] + [UInt8](repeating: 9, count: 18),
        [5, 0, 0, 3, 9] + Array("localhost".utf8) + [0, 80], [5, 0, 0, 3, 0, 0, 80],
        [5, 0, 7, 3, 255] + [UInt8](repeating: 5, count: 257),
    ])
    func readsAReplyExactlyHoweverItArrives(reply: [UInt8]) throws {
        let first = Array("{\"job\"".utf8)
        for size in 1...(reply.count + first.count) {
            var greeting = try greeting()
            var (answer, rest): ([UInt8], [UInt8]) = ([], [])
            var bytes = ([5, 0] + reply + first)[...]
            while !bytes.isEmpty {
                if greeting.isOver {
                    rest += bytes.prefix(size)
                } else {
                    let step = try greeting.received(Array(bytes.prefix(size)))
                    answer += step.answer
                    rest += step.rest
                }
                bytes = bytes.dropFirst(size)
            }
            #expect(greeting.isOver)
            #expect(rest == first)
            #expect(answer.count == 3 + 14 + 2)
        }
    }

    @Test func isNotOverBeforeTheReplysLastByte() throws {
        var greeting = try greeting()
        let reply: [UInt8] = [5, 0, 5, 0, 0, 3, 2, 65, 66, 0]
        #expect(try greeting.received(reply).rest.isEmpty)
        #expect(!greeting.isOver && greeting.isConnecting)
        #expect(try greeting.received([1]).rest.isEmpty)
        #expect(greeting.isOver)
    }

    @Test(
        arguments: [
            ([5, 0xff], "takes nobody without a login"), ([5, 2], "wants a user and password"),
            ([5, 1], "chose method 1, which wasn't offered"), ([4, 0], "is no SOCKS5 proxy"),
            ([0], "is no SOCKS5 proxy"),
            (Array("HTTP/1.1 400".utf8), "an HTTP server answers"), (Array("{\"id\"".utf8), "is no SOCKS5 proxy"),
            ([5, 0, 5, 1], "the proxy failed"), ([5, 0, 5, 2], "rules forbid"), ([5, 0, 5, 3], "network unreachable"),
            ([5, 0, 5, 4], "host unreachable"), ([5, 0, 5, 5], "the pool refused the connection"),
            ([5, 0, 5, 6], "time to live"), ([5, 0, 5, 7], "command not supported"),
            ([5, 0, 5, 8], "address type not supported"), ([5, 0, 5, 9], "refused with code 9"),
            ([5, 0, 5, 255], "code 255"), ([5, 0, 5, 0, 0, 2], "address of unknown type 2"),
            ([5, 0, 1, 0], "is no SOCKS5 proxy"),
        ] as [([UInt8], String)]
    )
    func saysWhatTheProxyRefuses(bytes: [UInt8], words: String) throws {
        var greeting = try greeting()
        let refusal = #expect(throws: SOCKS5Refusal.self) { try greeting.received(bytes) }
        #expect(refusal?.reason.contains(words) == true, "\(refusal?.reason ?? "")")
    }

    @Test func saysThatTheLoginIsRefused() throws {
        var wrong = try greeting("socks5://u:p@p:1")
        _ = try wrong.received([5, 2])
        let refusal = SOCKS5Refusal(reason: "the proxy refused the user or password")
        #expect(throws: refusal) { try wrong.received([1, 1]) }
        var neither = try greeting("socks5://u:p@p:1")
        let nobody = #expect(throws: SOCKS5Refusal.self) { try neither.received([5, 0xff]) }
        #expect(nobody?.reason.contains("neither") == true)
    }

    @Test func survivesRandomProxies() throws {
        var generator = SeededGenerator(seed: 11)
        var ends = 0
        for _ in 0..<20_000 {
            var greeting = try greeting("socks5://u:p@p:1")
            for _ in 0..<8 where !greeting.isOver {
                // Mostly bytes that lead further.
                let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ -> UInt8 in
                    let likely: [UInt8] = [0, 0, 0, 1, 2, 3, 5, 5]
                    let byte = UInt8.random(in: 0...255, using: &generator)
                    return byte < 8 ? byte : likely[Int(byte & 7)]
                }
                guard let step = try? greeting.received(bytes) else { break }
                #expect(step.rest.count <= bytes.count)
            }
            if greeting.isOver { ends += 1 }
        }
        #expect(ends > 0)
    }
}

@Suite struct ProxyAddressTests {
    @Test(arguments: [
        ("socks5://127.0.0.1:9050", "socks5://127.0.0.1:9050"),
        ("SOCKS5H://Proxy.Example", "socks5://proxy.example:1080"),
        ("[::1]:5/", "socks5://[::1]:5"), ("proxy:7", "socks5://proxy:7"),
        ("socks5://user:secret@proxy:7", "socks5://proxy:7"), ("socks5://user:s@cret:@[::1]", "socks5://[::1]:1080"),
    ])
    func readsAndPrintsWithoutSecrets(text: String, shown: String) throws {
        let proxy = try ProxyAddress(parsing: text)
        #expect(proxy.description == shown)
        #expect("\([proxy])" == "[\(shown)]")
    }

    @Test func keepsUserAndPassword() throws {
        let proxy = try ProxyAddress(parsing: "socks5://us%65r:s@cret:%00@h")
        #expect(proxy.credentials?.user == Array("user".utf8))
        #expect(proxy.credentials?.password == Array("s@cret:\0".utf8))
        let longest = String(repeating: "u", count: 255)
        #expect(try ProxyAddress(parsing: "socks5://\(longest):\(longest)@h").credentials?.password.count == 255)
    }

    @Test(arguments: [
        ("", ProxyAddressError.empty), ("http://h:1", .scheme("http")), ("socks4://h", .scheme("socks4")),
        ("socks5://@h", .noUser), ("socks5://:x@h", .noUser), ("socks5://u%@h", .escape), ("socks5://u:%0g@h", .escape),
        ("socks5://u:%2@h", .escape),
        ("socks5://" + String(repeating: "u", count: 256) + "@h", .longCredential(bytes: 256)),
        ("socks5://u:p@", .address(.noHost)), ("socks5://u:p@h:0", .address(.port(value: "h:0", port: "0"))),
        ("socks5://u@h/x", .address(.path(value: "h/x"))), ("socks5://u@h h", .address(.blank(value: "h h"))),
        ("socks5://u@::1", .address(.brackets(value: "::1"))),
    ])
    func refusesWhatIsNoProxy(text: String, error: ProxyAddressError) {
        #expect(throws: error) { try ProxyAddress(parsing: text) }
    }

    /// An address whose end was forgotten has its password where the port should be.
    @Test(arguments: ["socks5://user:secret", "user:secret", "socks5://user:secret@", "socks5://a:secret%zz@h:1"])
    func neverPrintsAPassword(text: String) {
        let error = #expect(throws: ProxyAddressError.self) { try ProxyAddress(parsing: text) }
        #expect(error?.description.contains("secret") == false)
    }
}
