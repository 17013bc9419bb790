/// A line grew beyond its limit.
struct LineTooLong: Error, Hashable {}

/// Cuts a byte stream into lines. Holds at most `limit` bytes.
struct LineFramer {
    /// Most bytes in a line, without its newline.
    let limit: Int
    private var partial: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Takes the next bytes and hands out each line that they complete, in order and without its newline (a carriage
    /// return stays), until `deliver` answers false; the rest is dropped then.
    mutating func append(_ bytes: [UInt8], deliver: ([UInt8]) -> Bool) throws(LineTooLong) {
        var rest = bytes[...]
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try extend(rest[..<newline])
            let line = partial
            partial = []
            guard deliver(line) else { return }
            rest = rest[(newline + 1)...]
        }
        try extend(rest)
    }

    private mutating func extend(_ bytes: ArraySlice<UInt8>) throws(LineTooLong) {
        guard bytes.count <= limit - partial.count else {
            partial = []
            throw LineTooLong()
        }
        partial.append(contentsOf: bytes)
    }
}
