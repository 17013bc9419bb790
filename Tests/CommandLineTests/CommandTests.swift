import BlocMiner
import Testing

@testable import blocminer

/// The options of the real commands.
struct MineOptionTests {
    static func settings(_ arguments: [String]) throws -> MineSettings {
        guard case .run(let settings, _) = try ArgumentParser.parse(arguments, by: MineCommand.manual) else {
            Issue.record("not run")
            return MineSettings()
        }
        return settings
    }

    static func refusal(_ arguments: [String]) -> String? {
        do throws(CommandError) {
            _ = try ArgumentParser.parse(arguments, by: MineCommand.manual)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func readsOurOptions() throws {
        let settings = try Self.settings([
            "--pool", "stratum+tcp://pool.example.com:4444", "--user", "me", "--pass", "w1", "--algo", "bloc", "--coin",
            "bloc", "--threads", "2", "--affinity", "0,2-3", "--lanes", "3", "--path", "portable", "--huge-pages",
            "require",
            "--rig-id", "r", "--nicehash", "--no-keepalive", "--log-file", "f", "--print-time", "0", "--duration",
            "1.5",
            "--summary", "json", "--no-color",
        ])
        let configuration = try settings.configuration()
        let pool = try #require(configuration.pools.first)
        #expect(configuration.pools.count == 1)
        #expect("\(pool.address)" == "pool.example.com:4444")
        #expect(pool.user == "me")
        #expect(pool.password == "w1")
        #expect(pool.rigID == "r")
        #expect(pool.isNiceHash)
        #expect(!pool.sendsKeepalive)
        #expect(pool.algorithm == "cn-heavy/xhv")
        #expect(configuration.coin == "bloc")
        #expect(configuration.limits.threads == 2)
        #expect(configuration.limits.affinity?.pus == [0, 2, 3])
        #expect(configuration.limits.lanes == 3)
        #expect(configuration.limits.path == .portable)
        #expect(configuration.limits.hugePages == .require)
        #expect(settings.logFile == "f")
        #expect(settings.printSeconds == 0)
        #expect(settings.seconds == 1.5)
        #expect(settings.summary == .json)
        #expect(!settings.allowsColor)
    }

    @Test func readsXMRigsHabits() throws {
        let settings = try Self.settings([
            "-o", "127.0.0.1:3333", "-O", "solo:wallet:pass:word", "-a", "cn/0", "-t4", "-k", "-l", "f",
            "--no-huge-pages",
            "--cpu-priority", "3", "--donate-level", "5",
        ])
        let configuration = try settings.configuration()
        let pool = try #require(configuration.pools.first)
        #expect(pool.user == "solo:wallet")
        #expect(pool.password == "pass:word")
        #expect(pool.sendsKeepalive)
        #expect(configuration.limits.threads == 4)
        #expect(configuration.limits.hugePages == .off)
        #expect(settings.priority == 3)
        #expect(
            MineCommand.heading(configuration, [nil], settings).map(\.plain).contains {
                $0.contains("donate level is 0")
            }
        )
    }

    @Test func needsPoolAndUser() throws {
        for (arguments, needed) in [([], "--pool HOST:PORT"), (["-o", "h:1"], "--user WALLET")] {
            let settings = try Self.settings(arguments)
            let error = #expect(throws: CommandError.self) { try settings.configuration() }
            #expect(error?.message?.contains(needed) == true)
            #expect(error?.status == .usage)
        }
    }

    @Test(arguments: [
        (["-o", "h:0"], "the port must be a number"), (["-o", "ftp://h"], "ftp"),
        (["-a", "cn/9"], "did you mean 'cn/0'"), (["--coin", "blok"], "bloc"), (["--path", "quantum"], "portable"),
        (["--affinity", "3-1"], "backwards"), (["--lanes", "65"], "from 1 to 64"),
        (["-t", "241"], "from 1 to 240: libdispatch's pool"), (["-a", "monero"], "did you mean"),
        (["-a", "nope"], "did you mean"), (["-u", ""], "empty"), (["-u", "a\tb"], "control character"),
        (["-p", "a\u{1B}b"], "control character"), (["--rig-id", "a\u{7F}"], "control character"),
        (["-O", "user:a\nb"], "control character"), (["-u", String(repeating: "u", count: 2049)], "2049 bytes"),
        (["-p", String(repeating: "é", count: 1025)], "2050 bytes"), (["-o", "h:1\t"], "control character"),

        (["--huge-pages", "maybe"], "one of require, prefer, off"), (["--duration", "nan"], "number of seconds"),
        (["--duration", "1e3"], "number of seconds"), (["--duration", "0"], "number of seconds from 1"),
        (["--summary", "xml"], "one of json"), (["--cpu-priority", "6"], "from 0 to 5"), (["-O", "user"], "USER:PASS"),
    ])
    func namesTheOptionAndWhatIsAllowed(arguments: [String], expected: String) throws {
        let message = try #require(Self.refusal(arguments))
        #expect(message.contains(expected))
        #expect(message.hasPrefix("option '-"))
        #expect(!message.contains("\n"))
    }

    @Test func takesAnEmptyPassword() throws {
        #expect(try Self.settings(["-p", ""]).pool.password == "")
        #expect(try Self.settings(["--pass="]).pool.password == "")
        #expect(try Self.settings(["-u", String(repeating: "u", count: 2048)]).pool.user?.count == 2048)
    }

    @Test func givesEachPoolItsOwnOptionsAndAllTheFirstOnes() throws {
        let pools = try Self.settings([
            "-u", "me", "-p", "rig", "--no-keepalive", "-o", "a:1", "-a", "cn/0", "-o", "b:2", "-u", "you",
            "--nicehash",
            "-k", "--rig-id", "r", "-o", "c:3", "-O", "she:hush", "-p", "w",
        ]).configuration().pools
        #expect(pools.map { "\($0.address)" } == ["a:1", "b:2", "c:3"])
        #expect(pools.map(\.user) == ["me", "you", "she"])
        #expect(pools.map(\.password) == ["rig", "rig", "w"])
        #expect(pools.map(\.algorithm) == ["cn/0", nil, nil])
        #expect(pools.map(\.isNiceHash) == [false, true, false])
        #expect(pools.map(\.sendsKeepalive) == [false, true, false])
        #expect(pools.map(\.rigID) == [nil, "r", nil])
    }

    @Test func namesThePoolThatLacksAUser() throws {
        let settings = try Self.settings(["-o", "a:1", "-u", "me", "-o", "b:2"])
        let error = #expect(throws: CommandError.self) { try settings.configuration() }
        #expect(error?.status == .usage)
        #expect(
            error?.message?.hasPrefix(
                "a user is needed: --user WALLET, after --pool b:2 or, for all pools, before the first --pool"
            ) == true
        )
    }

    @Test func showsEveryPoolInTheHeading() throws {
        let settings = try Self.settings(["-u", "me", "-o", "a:1", "-o", "b:2", "-a", "cn/0"])
        let heading = MineCommand.heading(
            try settings.configuration(),
            [nil, HashVariant(named: "cn/0")?.algorithm],
            settings
        ).map(\.plain)
        #expect(heading.contains("pool a:1, user (hidden), algorithm as the pool says"))
        #expect(heading.contains("pool b:2, user (hidden), algorithm cn/0"))
    }

    @Test func neverQuotesASecret() {
        #expect(Self.refusal(["-u", "secret\tone"])?.contains("secret") == false)
        #expect(Self.refusal(["-O", "secret:two\n"])?.contains("secret") == false)
        #expect(Self.refusal(["-O", "topsecretuser"])?.contains("topsecret") == false)
        #expect(Self.refusal(["-o", "wallet-of-mine@host:1"])?.contains("wallet-of-mine") == false)
    }

    @Test func masksTheWalletInTheHeading() throws {
        let wallet = "abLocSecretSecretSecretSecret"
        let settings = try Self.settings(["-o", "h:1", "-u", wallet, "-p", "hushhushhushhushhush"])
        let heading = MineCommand.heading(try settings.configuration(), [nil], settings).map(\.plain).joined()
        #expect(!heading.contains(wallet))
        #expect(!heading.contains("hush"))
        #expect(heading.contains(SecretText.masked(wallet)))
    }
}

struct InvocationTests {
    private static func name(_ arguments: [String]) throws -> String? {
        guard case .command(let command, _) = try Invocation(arguments) else { return nil }
        return command.page.name
    }

    @Test(arguments: [
        (["mine", "-o", "h"], "mine"), (["-o", "h", "-u", "x"], "mine"), (["-u", "x", "--url=h"], "mine"),
        (["-t4", "--pool", "h"], "mine"), (["-oh:1"], "mine"), (["bench", "-o", "h"], "bench"), (["--help"], "help"),
        (["-h"], "help"), (["-V"], "version"), (["--version"], "version"), (["help", "mine"], "help"),
    ])
    func findsTheCommand(arguments: [String], expected: String) throws {
        #expect(try Self.name(arguments) == expected)
    }

    @Test func knowsNoArguments() throws {
        #expect(try Self.name([]) == nil)
    }

    @Test(arguments: [
        (["bnech"], "there is no command 'bnech'; did you mean 'bench'? See 'blocminer help'"),
        (["--verson"], "unknown option '--verson'; did you mean '--version'? See 'blocminer help'"),
        (["--treads", "4"], "unknown option '--treads'; did you mean '--threads'? See 'blocminer help'"),
        (["-t", "4"], "a command is needed before '-t'; mining also needs --pool. See 'blocminer help'"),
        (["zzzzzzzz"], "there is no command 'zzzzzzzz'. See 'blocminer help'"),
    ])
    func refusesWhatIsNoCommand(arguments: [String], expected: String) {
        let error = #expect(throws: CommandError.self) { try Invocation(arguments) }
        #expect(error?.message == expected)
        #expect(error?.status == .usage)
    }
}

struct HelpTextTests {
    @Test(arguments: CommandList.pages.map(\.name))
    func explainsEveryOption(command: String) throws {
        let page = try CommandList.command(named: command).page
        let text = HelpText(page).text
        for option in page.options {
            #expect(text.contains(option.names.joined(separator: ", ")))
            for choice in option.choices { #expect(text.contains(choice)) }
        }
        #expect(text.contains("Usage: blocminer \(command)"))
    }

    @Test(arguments: CommandList.pages.map(\.name))
    func staysWithinTheLineWidth(command: String) throws {
        let text = HelpText(try CommandList.command(named: command).page).text
        let beforeExamples = text.split(separator: "\nExamples:")[0]
        #expect(beforeExamples.split(separator: "\n").allSatisfy { $0.count <= HelpText.width })
    }

    @Test(arguments: CommandList.pages.map(\.name))
    func givesNoNameTwice(command: String) throws {
        let names = try CommandList.command(named: command).page.options.flatMap(\.names)
        #expect(Set(names).count == names.count)
    }

    @Test func listsEveryCommand() {
        let text = OverviewText(CommandList.pages).text
        for page in CommandList.pages { #expect(text.contains("\n  \(page.name) ")) }
    }

    @Test func wrapsAtWords() {
        #expect(HelpText.wrapped("one two three", width: 7) == ["one two", "three"])
        #expect(HelpText.wrapped("immeasurable", width: 3) == ["immeasurable"])
    }
}

struct BenchOptionTests {
    private static func settings(_ arguments: [String]) throws -> BenchCommand.Settings {
        guard case .run(let settings, _) = try ArgumentParser.parse(arguments, by: BenchCommand.manual) else {
            Issue.record("not run")
            return BenchCommand.Settings()
        }
        return settings
    }

    @Test func readsListsOfAlgorithms() throws {
        #expect(try Self.settings(["--algo", "all"]).variants == HashVariant.all)
        #expect(try Self.settings(["--algo", "cn/0,bloc,cn/0"]).variants.map(\.name) == ["cn/0", "cn-heavy/xhv"])
        #expect(try Self.settings([]).variants.isEmpty)
        #expect(throws: CommandError.self) { try Self.settings(["--algo", "cn/0,"]) }
    }

    @Test func readsWhatIsToBeMeasured() throws {
        let settings = try Self.settings(["--lanes", "1,24", "--ceiling", "--compare", "f"])
        #expect(settings.laneCounts == [1, 24] && settings.measuresCeiling && settings.comparedFile == "f")
        let defaults = try Self.settings([])
        #expect(defaults.laneCounts.isEmpty && !defaults.measuresCeiling && defaults.comparedFile == nil)
        #expect(throws: CommandError.self) { try Self.settings(["--lanes", "65"]) }
    }

    @Test func readsListsOfLanes() throws {
        let request = try ArgumentParser.parse(["--lanes", "1,4,1"], by: SelfTestCommand.manual)
        guard case .run(let settings, _) = request else {
            Issue.record("not run")
            return
        }
        #expect(settings.laneCounts == [1, 4])
    }
}
