import BlocMiner
import Glibc
import Testing

@testable import blocminer

/// Records put together by hand.
private func record(lanes: Int = 2, median: Double = 40, spread: Double = 1, machine: String = "M") -> BenchmarkRecord {
    BenchmarkRecord(
        algorithm: "cn/0",
        path: "aesni",
        threads: 2,
        lanes: lanes,
        pages: PageBacking(kind: .huge, totalPages: 6, hugePages: 6),
        hashes: 420,
        seconds: 10.5,
        samples: [median],
        median: median,
        minimum: median - spread,
        maximum: median + spread,
        perThread: [20, 20],
        isVerified: true,
        origin: BenchmarkOrigin(version: "1.2.3", commit: nil, machine: machine),
        date: WallTime(secondsSince1970: 0)
    )
}

struct EarlierResultsTests {
    @Test func readsWhatBenchWrites() throws {
        var exporter = BenchmarkFormat.json.exporter
        let lines =
            exporter.export(record()) + exporter.export(record(lanes: 4, median: 50)) + [""]
            + exporter.export(record(median: 44))
        let results = try #require(EarlierResults(lines: lines))
        #expect(results[record().form]?.rate == RateComparison.Rate(median: 44, minimum: 43, maximum: 45))
        #expect(results[record(lanes: 4).form]?.rate.median == 50)
        #expect(results[record().form]?.machine == "M")
        #expect(results[record(lanes: 8).form] == nil)
    }

    @Test(arguments: [
        "x", "{}", "[]",
        #"{"algorithm":"a","path":"p","threads":1,"lanes":1,"hashesPerSecond":{"median":1,"min":2,"max":3},"version":"v","machine":"m"}"#,
        #"{"algorithm":"a","path":"p","threads":1,"lanes":1,"hashesPerSecond":{"median":0,"min":0,"max":0},"version":"v","machine":"m"}"#,
    ])
    func refusesOtherLines(line: String) {
        #expect(EarlierResults(lines: [line]) == nil)
    }

    @Test func namesTheLineThatIsNoResult() throws {
        let path = "/tmp/blocminer-results-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(path) }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        var exporter = BenchmarkFormat.json.exporter
        try TextStream(descriptor: file).write(exporter.export(record())[0] + "\nrubbish\n")
        close(file)
        let error = #expect(throws: CommandError.self) { _ = try EarlierResults(path: path) }
        #expect(error?.message?.contains("line 2") == true)
        let missing = #expect(throws: CommandError.self) { _ = try EarlierResults(path: path + ".not") }
        #expect(missing?.message?.contains("can't read") == true)
    }
}

struct BenchWordsTests {
    @Test func judgesAChange() {
        let noise = RateComparison(earlier: record().rate, later: record(median: 41).rate)
        #expect(noise.words == "+2.5 %, from 40.0 (39.0 … 41.0) to 41.0 (40.0 … 42.0) H/s: within the noise")
        let loss = RateComparison(earlier: record().rate, later: record(median: 30).rate)
        #expect(loss.words == "-25.0 %, from 40.0 (39.0 … 41.0) to 30.0 (29.0 … 31.0) H/s: larger than the noise")
    }

    @Test func namesTheFastest() {
        let records = [record(lanes: 1, median: 30), record(lanes: 8, median: 40), record(lanes: 4, median: 38)]
        #expect(LanesVerdict(records: records).winner?.lanes == 8)
        #expect(
            LanesVerdict(records: records).line
                == "winner for cn/0: 8 lanes, 40.0 H/s; +5.3 % on 4 lanes: within the noise"
        )
        #expect(LanesVerdict(records: [record()]).line == nil)
        #expect(LanesVerdict(records: []).winner == nil)
        #expect(LanesVerdict(records: [record(lanes: 3), record(lanes: 5)]).winner?.lanes == 3)
    }

    @Test func explainsARate() throws {
        var explained = record()
        let variant = try #require(HashVariant(named: "cn/0"))
        let limits = MeasuredLimits(
            latencies: LatencyTable(entries: [.init(bytes: 1 << 20, nanoseconds: 50)], isVerified: true),
            lineRate: LineRate(
                threads: 2,
                lanes: 2,
                padBytes: 2 << 20,
                entries: [.init(form: UpdateForm.all[3], linesPerSecond: 1e8)],
                isVerified: true
            ),
            arithmetic: ArithmeticCosts()
        )
        let figures = LoopAnalysis.Figures(
            demand: variant.demand,
            iterations: variant.iterations,
            threads: 2,
            lanes: 2,
            hashesPerSecond: 40,
            ticksPerSecond: 3e9,
            sweepSeconds: 0.005
        )
        explained.analysis = LoopAnalysis(figures, limits: limits)
        explained.limits = limits
        explained.comparison = RateComparison(earlier: record().rate, later: record().rate)
        var text = TextExporter()
        let lines = text.export(explained)
        #expect(
            lines.contains(
                "    main loop: 90.0 % of the time, 46.6 M lines/s, 257.5 \(AnalysisText.counter) ticks an iteration; "
                    + "sweeps: 10.0 %"
            )
        )
        #expect(lines.contains("    ceiling: 100.0 M lines/s (stream, 16 ahead); reached: 46.6 %"))
        #expect(lines.contains { $0.contains("bound by memory latency") && $0.contains("memory lines 41.9 %") })
        #expect(lines.contains { $0.hasPrefix("    change: +0.0 %") })
        let json = JSONExporter().export(explained)[0]
        #expect(json.contains(#""bound":"latency""#) && json.contains(#""stages":{"main":0.9,"#))
        #expect(json.contains(#""ceiling":{"linesPerSecond":100000000.0,"fraction":0.46"#))
        #expect(json.contains(#""comparison":{"earlier":{"median":40.0,"#))
    }

    @Test func writesTheLatencyTable() {
        let table = LatencyTable(
            entries: [.init(bytes: 1 << 16, nanoseconds: 1.26), .init(bytes: 4 << 20, nanoseconds: 90)],
            isVerified: true
        )
        #expect(
            AnalysisText.lines(of: table, threads: 2) == [
                "latency of dependent loads, 2 threads at once: 64 KiB 1.3 ns · 4 MiB 90.0 ns",
                "effective share of the caches: about 64 KiB a thread",
            ]
        )
    }
}
