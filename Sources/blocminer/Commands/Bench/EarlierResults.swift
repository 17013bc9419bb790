import BlocMiner
import FoundationEssentials
import Glibc

/// What is alike in two runs that can be compared.
struct BenchmarkForm: Hashable, Sendable {
    let algorithm: String
    let path: String
    let threads: Int
    let lanes: Int
}

/// The results of an earlier run: a file of JSON lines that `bench --format json` wrote.
struct EarlierResults: Sendable {
    /// One line of it.
    struct Entry: Sendable, Hashable {
        let rate: RateComparison.Rate
        let version: String
        let machine: String
    }

    private var entries: [BenchmarkForm: Entry] = [:]

    /// Reads the file. What is no result in it is an error that names the line.
    init(path: String) throws(CommandError) {
        let shown = PeerText.printable(path, limit: 200)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .failure("can't read the earlier results '\(shown)': \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var reader = LineReader(descriptor: descriptor)
        var number = 0
        while true {
            let lines: [LineReader.Line]
            do { lines = try reader.nextWindow() } catch { throw .failure("can't read '\(shown)': \(error)") }
            if lines.isEmpty { break }
            for line in lines {
                number += 1
                guard add(line) else {
                    throw .failure("'\(shown)', line \(number): expected a line that 'bench --format json' wrote")
                }
            }
        }
    }

    /// Results put together from lines; nil where one is none.
    init?(lines: [String]) {
        for line in lines where !add(.text(Array(line.utf8))) { return nil }
    }

    /// The last of the earlier results of this form.
    subscript(form: BenchmarkForm) -> Entry? { entries[form] }

    /// Whether the line was a result. An empty one passes too.
    private mutating func add(_ line: LineReader.Line) -> Bool {
        guard case .text(let bytes) = line else { return false }
        guard !bytes.isEmpty else { return true }
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)), record.isSound else {
            return false
        }
        let form = BenchmarkForm(
            algorithm: record.algorithm,
            path: record.path,
            threads: record.threads,
            lanes: record.lanes
        )
        let rate = record.hashesPerSecond
        entries[form] = Entry(
            rate: RateComparison.Rate(median: rate.median, minimum: rate.min, maximum: rate.max),
            version: PeerText.printable(record.version, limit: 40),
            machine: PeerText.printable(record.machine, limit: 80)
        )
        return true
    }

    private struct Record: Decodable {
        struct Rate: Decodable {
            let median: Double
            let min: Double
            let max: Double
        }

        let algorithm: String
        let path: String
        let threads: Int
        let lanes: Int
        let hashesPerSecond: Rate
        let version: String
        let machine: String

        var isSound: Bool {
            let rate = hashesPerSecond
            return rate.min > 0 && rate.min <= rate.median && rate.median <= rate.max && rate.max.isFinite
        }
    }
}

extension RateComparison {
    /// Such as "+10.0 %, from 40.0 (39.5 … 41.0) to 44.0 (43.1 … 44.9) H/s: larger than the noise".
    var words: String {
        let judgement = isLargerThanNoise ? "larger than the noise" : "within the noise"
        return "\(percentage), from \(Self.words(earlier)) to \(Self.words(later)) H/s: \(judgement)"
    }

    /// Such as "+10.0 %".
    var percentage: String {
        guard let change else { return "?" }
        return "\(change < 0 ? "" : "+")\(NumberText.decimal(change * 100, places: 1)) %"
    }

    private static func words(_ rate: Rate) -> String {
        "\(NumberText.rate(rate.median)) (\(NumberText.rate(rate.minimum)) … \(NumberText.rate(rate.maximum)))"
    }
}
