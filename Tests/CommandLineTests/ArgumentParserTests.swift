import BlocMiner
import Testing

@testable import blocminer

/// Parses by a manual of its own, so that each rule is seen alone.
struct ArgumentParserTests {
    struct Settings: Sendable, Equatable {
        var number = 0
        var text = ""
        var isLoud = false
        var isQuick = false
    }

    static func manual(operands: String? = nil) -> CommandManual<Settings> {
        CommandManual(
            name: "try",
            summary: "Try",
            operands: operands,
            options: [
                .value("-n --number --count", .integer(1...9), "A number") { $0.number = $1 },
                .value("-s --single", .text("TEXT"), "A text") { $0.text = $1 },
                .flag("-l --loud", "Loud") { $0.isLoud = true },
                .flag("-q --quick", "Quick") { $0.isQuick = true },
            ],
            defaults: Settings()
        )
    }

    static func settings(_ arguments: [String]) throws -> Settings? {
        guard case .run(let settings, _) = try ArgumentParser.parse(arguments, by: manual()) else { return nil }
        return settings
    }

    static func message(_ arguments: [String], operands: String? = nil) -> String? {
        do throws(CommandError) {
            _ = try ArgumentParser.parse(arguments, by: manual(operands: operands))
            return nil
        } catch {
            #expect(error.status == .usage)
            return error.message
        }
    }

    @Test(arguments: [
        ["--number", "4"], ["--number=4"], ["--count", "4"], ["-n", "4"], ["-n4"], ["-n=4"], ["-n", "2", "--number=4"],
    ])
    func readsAValueInEveryForm(arguments: [String]) throws {
        #expect(try Self.settings(arguments)?.number == 4)
    }

    @Test func readsBundledLetters() throws {
        #expect(try Self.settings(["-lqn7"]) == Settings(number: 7, isLoud: true, isQuick: true))
    }

    @Test(arguments: [
        (["--loudd"], "unknown option '--loudd'; did you mean '--loud'? See 'blocminer try --help'"),
        (["--numb", "3"], "unknown option '--numb'; did you mean '--number'? See 'blocminer try --help'"),
        (["-number", "3"], "unknown option '-number'; did you mean '--number'? See 'blocminer try --help'"),
        (["--xyzzyx"], "unknown option '--xyzzyx'. See 'blocminer try --help'"),
        (["--xyzzyx=secret"], "unknown option '--xyzzyx'. See 'blocminer try --help'"),
        (["-x"], "unknown option '-x'. See 'blocminer try --help'"),
        (["-lx"], "unknown option '-x'. See 'blocminer try --help'"),
        (["--loud=1"], "option '--loud' takes no value. See 'blocminer try --help'"),
        (["--number"], "option '--number' needs a value: --number N. See 'blocminer try --help'"),
        (["-n", "--loud"], "option '-n' needs a value: -n N. See 'blocminer try --help'"),
        (["-n", "--single=x"], "option '-n' needs a value: -n N. See 'blocminer try --help'"),
        (["-n", "--", "3"], "option '-n' needs a value: -n N. See 'blocminer try --help'"),
        (["-n", "ten"], "option '-n': 'ten' is not a whole number from 1 to 9. See 'blocminer try --help'"),
        (["-n", "-1"], "option '-n': '-1' is not a whole number from 1 to 9. See 'blocminer try --help'"),
        (["--number=0"], "option '--number': '0' is not a whole number from 1 to 9. See 'blocminer try --help'"),
        (["--number="], "option '--number': '' is not a whole number from 1 to 9. See 'blocminer try --help'"),
        (
            ["-n", "99999999999999999999"],
            "option '-n': '99999999999999999999' is not a whole number from 1 to 9."
                + " See 'blocminer try --help'"
        ),
        (["-s", ""], "option '-s': the value is empty. See 'blocminer try --help'"),
        (["stray"], "'stray' is not expected here. See 'blocminer try --help'"),
        (["--", "-l"], "'-l' is not expected here. See 'blocminer try --help'"),
    ])
    func refusesWithOneClearLine(arguments: [String], expected: String) {
        #expect(Self.message(arguments) == expected)
    }

    @Test func masksAStrayWallet() throws {
        let wallet = "abLoc" + String(repeating: "z", count: 94)
        let message = try #require(Self.message([wallet]))
        #expect(!message.contains(wallet))
        #expect(message.contains("abLocz…zzzz"))
    }

    @Test func stripsControlCharactersFromMessages() throws {
        #expect(Self.message(["--x\u{1B}[31m"]) == "unknown option '--x'. See 'blocminer try --help'")
    }

    @Test func collectsOperandsAroundOptions() throws {
        let request = try ArgumentParser.parse(["a", "-l", "-", "--", "-n"], by: Self.manual(operands: "X…"))
        guard case .run(let settings, let operands) = request else {
            Issue.record("not run")
            return
        }
        #expect(settings.isLoud)
        #expect(operands == ["a", "-", "-n"])
    }

    @Test func takesAnUnknownDashWordAsValue() throws {
        #expect(try Self.settings(["-s", "-x"])?.text == "-x")
        #expect(try Self.settings(["--single", "-"])?.text == "-")
    }

    @Test(arguments: [["-h"], ["--help"], ["-n", "3", "--help", "--bogus"], ["-lh"]])
    func asksForHelp(arguments: [String]) throws {
        guard case .help = try ArgumentParser.parse(arguments, by: Self.manual()) else {
            Issue.record("no help")
            return
        }
    }

    @Test func asksForVersion() throws {
        guard case .version = try ArgumentParser.parse(["-V"], by: Self.manual()) else {
            Issue.record("no version")
            return
        }
    }
}
