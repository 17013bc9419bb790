import Stratum
import Testing

@Suite struct JSONValueTests {
    @Test(arguments: [
        ("null", JSONValue.null),
        (" [true,false] ", .array([.bool(true), .bool(false)])),
        ("0", .integer(0)),
        ("1", .integer(1)),
        ("-9223372036854775808", .integer(Int128(Int64.min))),
        ("9007199254740993", .integer(9_007_199_254_740_993)),
        ("18446744073709551615", .integer(Int128(UInt64.max))),
        ("18446744073709551616", .number(18_446_744_073_709_551_616)),
        ("1.5", .number(1.5)),
        ("\"\"", .string("")),
        ("\"\\u0000\\ud83d\\ude00\\/\"", .string("\0😀/")),
        ("{\"a\":{\"b\":[]}}", .object(["a": .object(["b": .array([])])])),
        ("{\"a\":1,\"a\":2}", .object(["a": .integer(1)])),
    ])
    func reads(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "{", "{\"a\"}", "{\"a\":}", "[1", "\"", "\"\u{1}\"", "\"\\ud800\"", "01", "1e400", "[-1e400]",
        "-",
        "+1", "NaN", "1 2", "{} x", "]", "}}", "{\"a\":1]", "'a'", "\\",
    ])
    func refusesMalformed(text: String) {
        #expect(throws: JSONRefusal.malformed) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test func refusesBytesThatAreNoPlainUTF8() {
        #expect(throws: JSONRefusal.byteOrderMark) { try JSONValue(parsing: [0xEF, 0xBB, 0xBF, 0x31]) }
        #expect(throws: JSONRefusal.nulByte) { try JSONValue(parsing: Array("[1,\0]".utf8)) }
        #expect(throws: JSONRefusal.nulByte) { try JSONValue(parsing: [0x7B, 0, 0x7D, 0]) }
        #expect(throws: JSONRefusal.invalidUTF8) { try JSONValue(parsing: [0x22, 0xC0, 0x80, 0x22]) }
        #expect(throws: JSONRefusal.invalidUTF8) { try JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func countsBracketsOutsideStringsOnly() throws {
        let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        _ = try JSONValue(parsing: Array(deep.utf8))
        #expect(throws: JSONRefusal.nestedTooDeeply(limit: 16)) { try JSONValue(parsing: Array("[\(deep)]".utf8)) }
        let quoted = "\"" + String(repeating: "[{\\\"", count: 100) + "\""
        #expect(try JSONValue(parsing: Array(quoted.utf8)).string?.count == 300)
        #expect(throws: JSONRefusal.nestedTooDeeply(limit: 1)) {
            try JSONValue(parsing: Array("[\"\\\\\",[]]".utf8), maximumDepth: 1)
        }
    }

    @Test func refusesHundredThousandNestedArrays() {
        let line = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: JSONRefusal.nestedTooDeeply(limit: 16)) { try JSONValue(parsing: line) }
    }

    @Test func countsValues() throws {
        #expect(try JSONValue(parsing: Array("[1,2,3]".utf8), maximumValues: 4).array?.count == 3)
        #expect(throws: JSONRefusal.tooManyValues(limit: 3)) {
            try JSONValue(parsing: Array("[1,2,3]".utf8), maximumValues: 3)
        }
    }

    @Test func writesOneLineWithSortedMembersAndEscapes() {
        let value = JSONValue.object([
            "z": .null, "a": .array([.integer(1), .number(0.5), .number(.infinity), .bool(true)]),
            "é\"": .string("\\\n\u{1B}\u{7F}€"),
        ])
        #expect(
            value.text == "{\"a\":[1,0.5,null,true],\"z\":null,\"é\\\"\":\"\\\\\\u000a\\u001b\\u007f€\"}"
        )
    }

    @Test func readsBackWhatItWrites() throws {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<500 {
            let value = Self.randomValue(depth: 4, &numbers)
            #expect(try JSONValue(parsing: Array(value.text.utf8)) == value)
        }
    }

    @Test func looksIntoObjectsOnly() {
        #expect(JSONValue.array([])["a"] == nil)
        #expect(JSONValue.object(["a": .integer(-1)])["a"]?.unsigned == nil)
        #expect(JSONValue.integer(Int128(UInt64.max)).unsigned == .max)
        #expect(JSONValue.integer(Int128(UInt64.max) + 1).unsigned == nil)
        #expect(JSONValue.number(1.5).unsigned == nil)
    }

    private static func randomValue(depth: Int, _ numbers: inout SeededNumbers) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &numbers) {
        case 0: .null
        case 1: .bool(.random(using: &numbers))
        case 2: .integer(Int128(Int64.random(in: .min ... .max, using: &numbers)))
        case 3: .number(Double(Int32.random(in: .min ... .max, using: &numbers)) + 0.25)
        case 4: .string(randomText(&numbers))
        case 5: .array((0..<3).map { _ in randomValue(depth: depth - 1, &numbers) })
        default:
            .object(
                Dictionary(
                    (0..<3).map { _ in (randomText(&numbers), randomValue(depth: depth - 1, &numbers)) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        }
    }

    private static func randomText(_ numbers: inout SeededNumbers) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &numbers) {
            guard let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &numbers)) else { continue }
            text.append(scalar)
        }
        return String(text)
    }
}
