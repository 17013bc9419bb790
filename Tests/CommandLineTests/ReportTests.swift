import BlocMiner
import FoundationEssentials
import Testing

@testable import blocminer

/// The names of an object's members, by Foundation's reading of it.
private func names(in line: String, at member: String? = nil) throws -> Set<String> {
    struct AnyMember: Decodable {
        let names: Set<String>

        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            names = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
        }
    }
    let data = Data(line.utf8)
    guard let member else { return try JSONDecoder().decode(AnyMember.self, from: data).names }
    struct Sparse: Decodable {
        let pages: AnyMember?
        let shares: AnyMember?
        let hashesPerSecond: AnyMember?
        let machine: AnyMember?

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: AnyMember.Name.self)
            pages = try? object.decode(AnyMember.self, forKey: .init(stringValue: "pages"))
            shares = try? object.decode(AnyMember.self, forKey: .init(stringValue: "shares"))
            hashesPerSecond = try? object.decode(AnyMember.self, forKey: .init(stringValue: "hashesPerSecond"))
            machine = try? object.decode(AnyMember.self, forKey: .init(stringValue: "machine"))
        }
    }
    let object = try JSONDecoder().decode(Sparse.self, from: data)
    let members = [
        "pages": object.pages, "shares": object.shares, "hashesPerSecond": object.hashesPerSecond,
        "machine": object.machine,
    ]
    return (members[member] ?? nil)?.names ?? []
}

struct ExporterTests {
    private static let record = BenchmarkRecord(
        algorithm: "cn/0",
        path: "aesni",
        threads: 2,
        lanes: 3,
        pages: PageBacking(kind: .transparent, totalPages: 6, hugePages: 5),
        hashes: 420,
        seconds: 10.5,
        samples: [41, 39.5, 40],
        median: 40,
        minimum: 39.5,
        maximum: 41,
        perThread: [20, 20.25],
        isVerified: true,
        origin: BenchmarkOrigin(version: "1.2.3", commit: nil, machine: "A | B"),
        date: WallTime(secondsSince1970: 0)
    )

    @Test func writesTheDocumentedJSON() throws {
        var exporter = BenchmarkFormat.json.exporter
        let lines = exporter.export(Self.record)
        #expect(
            lines == [
                #"{"algorithm":"cn/0","path":"aesni","threads":2,"lanes":3,"pages":{"huge":5,"total":6},"hashes":420,"#
                    + #""seconds":10.5,"samples":3,"hashesPerSecond":{"median":40.0,"min":39.5,"max":41.0},"#
                    + #""perThread":[20.0,20.25],"verified":true,"linesPerSecond":null,"ticksPerIteration":null,"stages":null,"#
                    + #""ceiling":null,"bound":null,"needs":null,"comparison":null,"version":"1.2.3","commit":"unknown","machine":"A | B","#
                    + #""date":"1970-01-01T00:00:00Z"}"#
            ]
        )
        #expect(
            try names(in: lines[0]) == [
                "algorithm", "path", "threads", "lanes", "pages", "hashes", "seconds", "samples", "hashesPerSecond",
                "perThread", "verified", "linesPerSecond", "ticksPerIteration", "stages", "ceiling", "bound", "needs",
                "comparison", "version", "commit", "machine", "date",
            ]
        )
        #expect(try names(in: lines[0], at: "hashesPerSecond") == ["median", "min", "max"])
    }

    @Test(arguments: [BenchmarkFormat.text, .markdown])
    func writesAHeadingOnce(format: BenchmarkFormat) {
        var exporter = format.exporter
        let first = exporter.export(Self.record)
        let second = exporter.export(Self.record)
        #expect(second.count == 1)
        #expect(first.count > 1)
        #expect(first.last == second.last)
        #expect(second[0].contains("cn/0"))
        #expect(second[0].contains("40.0"))
    }

    @Test func escapesBarsInMarkdown() {
        var exporter = MarkdownExporter()
        #expect(exporter.export(Self.record)[0].hasPrefix(#"A \| B, blocminer 1.2.3, commit unknown"#))
    }
}

struct MiningSummaryTests {
    @Test func writesTheDocumentedJSONWithoutAnything() throws {
        let line = MiningSummary(statistics: MinerStatistics()).json.line
        #expect(
            line == #"{"version":"\#(BlocMinerVersion.current)","algorithm":null,"path":null,"threads":0,"lanes":0,"#
                + #""pages":{"huge":0,"total":0},"hashes":0,"seconds":0.0,"hashesPerSecond":0.0,"#
                + #""shares":{"accepted":0,"rejected":0,"stale":0,"invalid":0},"pool":"","difficulty":null}"#
        )
        #expect(
            try names(in: line) == [
                "version", "algorithm", "path", "threads", "lanes", "pages", "hashes", "seconds", "hashesPerSecond",
                "shares", "pool", "difficulty",
            ]
        )
        #expect(try names(in: line, at: "shares") == ["accepted", "rejected", "stale", "invalid"])
        #expect(try names(in: line, at: "pages") == ["huge", "total"])
    }

    @Test func writesWhatWasMined() throws {
        var statistics = MinerStatistics()
        let variant = try #require(HashVariant(named: "bloc"))
        statistics.kernel = HashKernel(variant: variant, path: .portable, lanes: 2)
        statistics.plan = try MiningReportTests.plan(threads: 2)
        statistics.pages = PageBacking(kind: .huge, totalPages: 8, hugePages: 8)
        statistics.hashes = 400
        statistics.hashingTime = .seconds(10)
        statistics.shares.accepted = 3
        statistics.pool = "h:1"
        statistics.difficulty = 5000
        let summary = MiningSummary(statistics: statistics)
        let line = summary.json.line
        for part in [
            #""algorithm":"cn-heavy/xhv""#, #""path":"portable""#, #""threads":2"#, #""lanes":2"#, #""huge":8"#,
            #""hashes":400"#, #""seconds":10.0"#, #""hashesPerSecond":40.0"#, #""accepted":3"#, #""pool":"h:1""#,
            #""difficulty":5000"#,
        ] { #expect(line.contains(part)) }
        #expect(summary.lines.map(\.plain).first == "summary: 400 hashes in 10 s, 40.0 H/s")
    }

    @Test func judgesTheEnd() {
        func failure(_ error: MinerError?, _ stop: StopReason?, hasLoggedIn: Bool = true) -> CommandError? {
            let outcome = MiningOutcome(
                statistics: MinerStatistics(),
                stop: stop,
                error: error,
                hasLoggedIn: hasLoggedIn
            )
            return MiningVerdict(outcome).failure
        }
        #expect(failure(nil, .signal, hasLoggedIn: false) == nil)
        #expect(failure(nil, .timeIsUp) == nil)
        #expect(failure(nil, .timeIsUp, hasLoggedIn: false)?.status == .failure)
        #expect(failure(nil, .outputClosed) == .failure("nobody reads the output any more"))
        #expect(failure(nil, nil)?.status == .failure)
        #expect(failure(.failure("x"), .signal) == .failure("x"))
        #expect(failure(.usage("x"), nil)?.status == .usage)
    }
}

struct HashrateTextTests {
    @Test func tellsTheAgeOfEveryFigure() {
        var statistics = MinerStatistics()
        #expect(statistics.hashrateText == "hashrate: no hash completed yet")
        statistics.hashes = 10
        statistics.hashingTime = .seconds(2)
        #expect(statistics.hashrateText == "hashrate 5.00 H/s (over 2 s)")
        let young = Hashrate(hashesPerSecond: 41.2, age: .seconds(7))
        statistics.hashrate.tenSeconds = young
        statistics.hashrate.minute = young
        statistics.hashrate.quarterHour = young
        #expect(statistics.hashrateText == "hashrate 41.2 H/s (over 7 s)")
        statistics.hashrate.minute = Hashrate(hashesPerSecond: 40, age: .seconds(32))
        statistics.hashrate.quarterHour = statistics.hashrate.minute
        statistics.hashrate.best = 42
        #expect(statistics.hashrateText == "hashrate 41.2 H/s (over 7 s), 40.0 H/s (over 32 s), best 42.0 H/s")
    }
}

struct MiningReportTests {
    static func plan(threads: Int) throws -> ThreadPlan {
        try ThreadPlan(
            topology: TopologySnapshot(synthetic: "numa:1 l3:1(size=33554432) core:4 pu:1"),
            limits: ThreadLimits(threads: threads),
            scratchpadBytes: 4 << 20
        )
    }

    private static func job() throws -> Job {
        let difficulty = try #require(Difficulty(12_000))
        return try Job(
            id: "1",
            session: 1,
            blob: [UInt8](repeating: 7, count: 76),
            target: Target(difficulty),
            algorithm: Algorithm(name: "cn/r", needsHeight: true),
            height: 99
        )
    }

    @Test func describesJobsWithDifficultyHeightAndAlgorithm() throws {
        var report = MiningReport()
        #expect(
            report.lines(for: .job(try Self.job())).map(\.plain) == ["new job: difficulty 12000, height 99, cn/r"]
        )
    }

    @Test func countsShares() throws {
        var report = MiningReport()
        let share = Share(job: try Self.job(), nonce: Nonce(1), digest: Digest(words: SIMD4(1, 2, 3, 4)))
        let outcomes: [ShareEvent.Outcome] = [
            .accepted(latency: .milliseconds(43)), .rejected(reason: "Low\u{1B}[0m", latency: .seconds(1)),
            .stale(reason: "job gone"), .invalid(computed: share.digest, checked: share.digest),
        ]
        let lines = outcomes.flatMap { report.lines(for: .share(ShareEvent(share: share, outcome: $0))) }.map(\.plain)
        #expect(lines[0] == "accepted after 43 ms (1 accepted, 0 rejected)")
        #expect(lines[1] == "rejected after 1 s: Low (1 accepted, 1 rejected)")
        #expect(lines[2] == "stale: job gone (1 accepted, 1 rejected, 1 stale)")
        #expect(lines[3].hasPrefix("invalid: computed 01000000"))
        #expect(lines[3].hasSuffix("(1 accepted, 1 rejected, 1 stale, 1 invalid)"))
        #expect(report.shares.fullText == "1 accepted, 1 rejected, 1 stale, 1 invalid")
    }

    @Test func countsUnansweredSharesOfALossInsteadOfTellingAll() throws {
        var report = MiningReport()
        let share = Share(job: try Self.job(), nonce: Nonce(1), digest: Digest(words: SIMD4(1, 2, 3, 4)))
        let lost = "connection lost before the pool answered"
        func lines(of count: Int) -> [[String]] {
            (0..<count).map { _ in
                report.lines(for: .share(ShareEvent(share: share, outcome: .stale(reason: lost)))).map(\.plain)
            }
        }
        #expect(lines(of: 5).map(\.count) == [1, 1, 1, 0, 0])
        #expect(
            report.lines(for: .note("n")).map(\.plain)
                == ["stale: 2 more, \(lost) (0 accepted, 0 rejected, 5 stale)", "n"]
        )
        #expect(lines(of: 3).map(\.count) == [1, 1, 1])
        #expect(report.lines(for: .note("n")).count == 1)
        #expect(lines(of: 4).map(\.count) == [1, 1, 1, 0])
        #expect(report.end().map(\.plain) == ["stale: 1 more, \(lost) (0 accepted, 0 rejected, 12 stale)"])
        #expect(report.end().isEmpty)
    }

    @Test func advisesOnHugePagesOnceAllWorkersHaveTheirs() throws {
        var report = MiningReport { "reserve \($0)" }
        let kernel = HashKernel(variant: try #require(HashVariant(named: "bloc")), path: .portable, lanes: 1)
        let start = report.lines(for: .started(try Self.plan(threads: 3), kernel)).map(\.plain)
        #expect(start == ["hashing cn-heavy/xhv on portable: 3 threads × 1 lane, 12 MiB of scratchpads"])
        let transparent = PageBacking(kind: .transparent, totalPages: 2, hugePages: 2, reason: "0 are free")
        let huge = PageBacking(kind: .huge, totalPages: 2, hugePages: 2)
        #expect(
            report.lines(for: .pages(worker: 0, transparent)).map(\.plain)
                == ["worker 0 on PU 0: 2/2 huge pages (transparent): 0 are free"]
        )
        #expect(report.lines(for: .pages(worker: 2, huge)).count == 1)
        #expect(
            report.lines(for: .pages(worker: 1, transparent)).map(\.plain).last
                == "reserved huge pages hash faster: reserve 4"
        )
    }

    @Test func advisesNothingWhereHugePagesAreUnwanted() throws {
        var report = MiningReport(hugePages: .off) { "reserve \($0)" }
        let kernel = HashKernel(variant: try #require(HashVariant(named: "bloc")), path: .portable, lanes: 1)
        _ = report.lines(for: .started(try Self.plan(threads: 1), kernel))
        let ordinary = PageBacking(kind: .ordinary, totalPages: 2, hugePages: 0)
        #expect(report.lines(for: .pages(worker: 0, ordinary)).map(\.plain) == ["worker 0 on PU 0: no huge pages"])
    }

    @Test func describesTheConnection() throws {
        var report = MiningReport()
        let security = TLSSecurity(
            version: "TLS 1.3",
            policy: .systemAuthorities,
            host: "h",
            fingerprint: try CertificateFingerprint(parsing: String(repeating: "0a", count: 32))
        )
        let events: [(MinerEvent, String)] = [
            (.connecting(pool: "h:1"), "connecting to h:1"),
            (
                .connected(pool: "h:1", remote: "1.2.3.4:1", security: nil, extensions: []),
                "logged in to h:1 (1.2.3.4:1)"
            ),
            (
                .connected(pool: "h:1", remote: "r", security: security, extensions: ["algo", "keepalive"]),
                "logged in to h:1 (r, TLS 1.3, certificate verified for h); the pool offers algo, keepalive"
            ),
            (
                .disconnected(pool: "h:1", reason: "refused", retry: .seconds(5)),
                "no connection to h:1: refused; trying again in 5 s"
            ),
            (.disconnected(pool: "h:1", reason: "refused", retry: nil), "no connection to h:1: refused; giving up"),
            (.switched(pool: "h:1"), "mining for h:1"), (.paused(reason: "x"), "paused: x"), (.resumed, "mining again"),
            (.note("n"), "n"),
            (.warning("w"), "warning: w"),
        ]
        for (event, line) in events { #expect(report.lines(for: event).map(\.plain) == [line]) }
    }
}

struct TopologyReportTests {
    @Test func writesTheDocumentedJSON() throws {
        let variant = try #require(HashVariant(named: "cn/upx2"))
        let machine = try TopologySnapshot(synthetic: "numa:2 l3:1(size=16777216) core:2 pu:1")
        let plan = try ThreadPlan(
            topology: machine,
            limits: ThreadLimits(threads: 3, lanes: 2),
            scratchpadBytes: variant.scratchpadBytes
        )
        let report = TopologyReport(machine: machine, plan: plan, variant: variant)
        let line = report.json.line
        #expect(try names(in: line) == ["machine", "threads", "lanes", "scratchpads", "pages", "reasons"])
        #expect(try names(in: line, at: "machine") == ["name", "pus", "cores", "nodes", "caches"])
        #expect(line.contains(#""pus":4,"cores":4,"nodes":2"#))
        #expect(line.contains(#""lanes":2,"scratchpads":6,"pages":3"#))
        #expect(line.contains(#"{"pu":"#))
        let text = report.lines.joined(separator: "\n")
        #expect(text.contains("cn/upx2: 3 threads × 2 lanes = 6 scratchpads of 128 KiB"))
        for reason in plan.reasons { #expect(text.contains(reason)) }
    }
}

struct OtherReportTests {
    @Test func listsEveryAlgorithm() throws {
        #expect(AlgorithmsCommand.table.lines.count == HashVariant.all.count + 1)
        let json = AlgorithmsCommand.json.line
        for variant in HashVariant.all { #expect(json.contains(#"{"name":"\#(variant.name)""#)) }
    }

    @Test func talliesTheSelfTest() throws {
        var tally = SelfTestTally()
        #expect(!tally.isPassed)
        let kernel = HashKernel(variant: try #require(HashVariant(named: "cn/0")), path: .portable, lanes: 1)
        #expect(tally.line(kernel: kernel, failure: nil) == "ok      cn/0 on portable, 1 lane")
        #expect(tally.isPassed)
        #expect(tally.line(kernel: kernel, failure: "no") == "FAILED  cn/0 on portable, 1 lane: no")
        #expect(!tally.isPassed)
        #expect(tally.summary == "1 passed, 1 failed")
    }

    @Test(arguments: [(3, 0, true), (0, 0, false), (3, 1, false)])
    func judgesTheDemo(verified: Int, refused: Int, isGood: Bool) {
        let verdict = DemoVerdict(verified: verified, refused: refused)
        #expect(verdict.isGood == isGood)
        #expect(verdict.line.plain.hasPrefix(isGood ? "demo passed" : "demo failed"))
    }

    @Test func startsTheVersionWithTheName() {
        #expect(VersionCommand.line.hasPrefix("blocminer \(BlocMinerVersion.current)"))
    }
}
