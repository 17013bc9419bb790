import BlocMiner
import FoundationEssentials

/// Which function an input is hashed with.
struct HashFunction: Hashable {
    let variant: HashVariant
    /// The block height, for the variants that need one.
    let height: UInt64?

    /// `variant` at `height`, which counts only where it is needed.
    init(_ variant: HashVariant, height: UInt64?) throws(HashOrderError) {
        let needsHeight = variant.algorithm.needsHeight
        guard height != nil || !needsHeight else {
            throw HashOrderError(reason: "\(variant.name) needs a block height")
        }
        self.variant = variant
        self.height = needsHeight ? height : nil
    }
}

/// Why something can't be hashed.
struct HashOrderError: Error, Hashable {
    let reason: String
}

/// An input and the function to hash it with.
struct HashOrder: Hashable {
    let function: HashFunction
    let input: [UInt8]

    /// The bytes that `hex` spells, as an input of `function`.
    init(_ hex: some StringProtocol, _ function: HashFunction) throws(HashOrderError) {
        guard let input = Hex.decode(hex) else {
            let shown = PeerText.printable(hex, limit: 40)
            throw HashOrderError(reason: "'\(shown)' is not hex: digits in pairs are needed")
        }
        let minimum = function.variant.algorithm.minimumBlobBytes
        guard input.count >= minimum else {
            let name = function.variant.name
            throw HashOrderError(reason: "\(name) takes an input of \(minimum) bytes or more, not \(input.count)")
        }
        self.function = function
        self.input = input
    }

    /// The order that a line of JSON gives: `{"algo": "cn/r", "height": 1806260, "input": "0305…"}`.
    ///
    /// `algo` and `height` may be missing where the command line names them.
    init(line: LineReader.Line, defaults: HashDefaults) throws(HashOrderError) {
        guard case .text(let bytes) = line else {
            throw HashOrderError(reason: "the line is longer than \(LineReader.longestLine) bytes")
        }
        let record: Record
        do {
            record = try JSONDecoder().decode(Record.self, from: Data(bytes))
        } catch {
            throw HashOrderError(reason: Self.flaw(error))
        }
        let variant = record.algo.map(HashVariant.init(named:)) ?? defaults.variant
        guard let variant else {
            guard let name = record.algo else { throw HashOrderError(reason: "the member \"algo\" is missing") }
            throw HashOrderError(reason: ValueRefusal.unknownAlgorithm(name).reason)
        }
        try self.init(record.input, HashFunction(variant, height: record.height ?? defaults.height))
    }

    /// What makes a line no order, told from the decoder's error.
    private static func flaw(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _)?: "the member \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
            switch context.codingPath.first?.stringValue {
            case "height"?: "the member \"height\" is not a whole number from 0 to \(UInt64.max)"
            case let member?: "the member \"\(member)\" is not a string"
            case nil where isCorrupted(error): "this is not JSON; expected an object such as \(example)"
            case nil: "expected an object such as \(example)"
            }
        default: "expected an object such as \(example)"
        }
    }

    private static func isCorrupted(_ error: any Error) -> Bool {
        if case .dataCorrupted? = error as? DecodingError { true } else { false }
    }

    private static let example = #"{"algo":"cn/r","height":1806260,"input":"0305…"}"#

    private struct Record: Decodable {
        let algo: String?
        let height: UInt64?
        let input: String

        private enum Member: String, CodingKey {
            case algo, height, input
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            algo = try members.decodeIfPresent(String.self, forKey: .algo)
            // The decoder doesn't say which number it was that doesn't fit.
            do { height = try members.decodeIfPresent(UInt64.self, forKey: .height) } catch {
                throw DecodingError.dataCorruptedError(forKey: .height, in: members, debugDescription: "")
            }
            input = try members.decode(String.self, forKey: .input)
        }
    }
}

/// What holds for lines that don't say otherwise.
struct HashDefaults: Hashable {
    var variant: HashVariant?
    var height: UInt64?
}
