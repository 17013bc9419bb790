import Testing

@testable import PoolTransport

@Suite struct LineFramerTests {
    private func lines(_ chunks: [[UInt8]], limit: Int = 100) throws -> [[UInt8]] {
        var framer = LineFramer(limit: limit)
        var lines: [[UInt8]] = []
        for chunk in chunks {
            try framer.append(chunk) {
                lines.append($0)
                return true
            }
        }
        return lines
    }

    @Test func cutsTheSameLinesHoweverTheBytesArrive() throws {
        var generator = SeededGenerator(seed: 7)
        let expected: [[UInt8]] = (0..<200).map { _ in
            (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8.random(in: 11...255, using: &generator) }
        }
        let bytes = Array(expected.map { $0 + [10] }.joined())
        for _ in 0..<50 {
            var chunks: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...90, using: &generator)
                chunks.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(try lines(chunks) == expected)
        }
    }

    @Test func keepsCarriageReturnsAndEmptyLines() throws {
        #expect(try lines([Array("a\r\n\nb\nrest".utf8)]) == [Array("a\r".utf8), [], Array("b".utf8)])
    }

    @Test func refusesALineBeyondTheLimit() throws {
        let full = [UInt8](repeating: 65, count: 100)
        #expect(try lines([full + [10]]) == [full])
        #expect(throws: LineTooLong.self) { try lines([full + [65, 10]]) }
        #expect(throws: LineTooLong.self) { try lines([full, [65]]) }
    }

    @Test func deliversTheLinesBeforeAnOverlongOne() {
        var framer = LineFramer(limit: 3)
        var lines: [[UInt8]] = []
        #expect(throws: LineTooLong.self) {
            try framer.append(Array("ab\ncd\ntoolong".utf8)) {
                lines.append($0)
                return true
            }
        }
        #expect(lines == [Array("ab".utf8), Array("cd".utf8)])
    }

    @Test func stopsWhenToldTo() throws {
        var framer = LineFramer(limit: 10)
        var lines: [[UInt8]] = []
        try framer.append(Array("a\nb\nc\n".utf8)) {
            lines.append($0)
            return lines.count < 2
        }
        #expect(lines == [Array("a".utf8), Array("b".utf8)])
    }
}

@Suite struct OutboxTests {
    @Test func tellsTheWriterOnceUntilItIsEmpty() {
        var outbox = Outbox(limit: 100)
        #expect(outbox.append([1]) == .first)
        #expect(outbox.append([2]) == .queued)
        #expect(outbox.take(upTo: 1) == [1])
        #expect(outbox.append([3]) == .queued)
        #expect(outbox.take(upTo: 10) == [2, 3])
        #expect(outbox.take(upTo: 10).isEmpty)
        #expect(outbox.append([4]) == .first)
    }

    @Test func shutsItselfBeyondTheLimit() {
        var outbox = Outbox(limit: 3)
        #expect(outbox.append([1, 2, 3]) == .first)
        #expect(outbox.append([4]) == .overflowed)
        #expect(outbox.isEmpty)
        #expect(outbox.append([5]) == .dropped)
    }

    @Test func keepsOrderThroughPartialWrites() {
        var generator = SeededGenerator(seed: 3)
        var queue = ByteQueue()
        var (put, got): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<2000 {
            let more = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            queue.append(more)
            put += more
            got += queue.take(upTo: Int.random(in: 0...40, using: &generator))
        }
        #expect(queue.count == put.count - got.count)
        let rest = queue.withBytes { Array($0) }
        #expect(got + rest == put)
    }
}
