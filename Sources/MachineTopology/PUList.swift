/// A list of processing units by their operating-system numbers, in the order given and without repeats: `0,2-5`.
public struct PUList: Sendable, Hashable {
    /// The largest OS number accepted; Linux is built for at most 8192 CPUs.
    public static let largestPU = 8191
    /// The longest text accepted, enough for every PU to be named one by one.
    public static let longestText = 40_960

    /// OS PU numbers, never empty, no number twice.
    public let pus: [Int]

    /// Reads numbers and ascending ranges separated by commas; spaces around a number are let pass.
    public init(_ text: String) throws(TopologyError) {
        guard text.utf8.count <= Self.longestText else {
            throw .badPUList(part: printable(text, limit: 16), reason: "longer than \(Self.longestText) characters")
        }
        var pus: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            pus += try Self.range(part)
            guard pus.count <= Self.largestPU + 1 else {
                throw .badPUList(part: String(part), reason: "some PU is named twice")
            }
        }
        try self.init(pus)
    }

    /// Takes OS PU numbers as they are; throws for none, for a repeat, and outside 0 … `largestPU`.
    public init(_ pus: [Int]) throws(TopologyError) {
        guard !pus.isEmpty else { throw .badPUList(part: "", reason: "no PU is named") }
        var seen: Set<Int> = []
        for pu in pus {
            guard (0...Self.largestPU).contains(pu) else {
                throw .badPUList(part: "\(pu)", reason: "PU numbers go from 0 to \(Self.largestPU)")
            }
            guard seen.insert(pu).inserted else { throw .badPUList(part: "\(pu)", reason: "this PU is named twice") }
        }
        self.pus = pus
    }

    private static func range(_ part: Substring) throws(TopologyError) -> ClosedRange<Int> {
        let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last else {
            throw .badPUList(part: String(part), reason: "a number is missing")
        }
        let low = try number(first, in: part)
        let high = try number(last, in: part)
        guard low <= high else { throw .badPUList(part: String(part), reason: "the range runs backwards") }
        return low...high
    }

    private static func number(_ text: Substring, in part: Substring) throws(TopologyError) -> Int {
        let digits = trimmed(text.utf8)
        guard !digits.isEmpty else { throw .badPUList(part: String(part), reason: "a number is missing") }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
                throw .badPUList(part: String(part), reason: "not a number")
            }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
            guard value <= largestPU else {
                throw .badPUList(part: String(part), reason: "PU numbers go from 0 to \(largestPU)")
            }
        }
        return value
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop { $0 == UInt8(ascii: " ") }
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        return text
    }
}

extension PUList: CustomStringConvertible {
    /// The list as `init(_:)` reads it, neighbours joined into ranges: `0,2-5`.
    public var description: String {
        var ranges: [ClosedRange<Int>] = []
        for pu in pus {
            if let last = ranges.last, last.upperBound + 1 == pu {
                ranges[ranges.count - 1] = last.lowerBound...pu
            } else {
                ranges.append(pu...pu)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
