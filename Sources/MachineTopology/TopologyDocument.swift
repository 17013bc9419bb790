/// A look at a topology file before hwloc sees it: hwloc 2.9 trusts the sets that its own export writes and crashes on
/// objects without them, so a damaged file must be turned away here.
struct TopologyDocument {
    private var rest: ArraySlice<UInt8>
    private var isVersion1 = false
    private var open: [String] = []
    private var puCount = 0

    /// What makes the file unfit to load, in words; nil where nothing does.
    static func flaw(in bytes: [UInt8]) -> String? {
        var document = TopologyDocument(rest: bytes[...])
        return document.firstFlaw()
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }

    private mutating func firstFlaw() -> String? {
        let start = rest.drop { isBlank($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        guard start.first == UInt8(ascii: "<") else { return "it isn't XML" }
        guard !rest.contains(0) else { return "it holds a zero byte" }
        var isSeen = false
        while let next = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(next + 1)...]
            if let flaw = readMarkup(isFirst: !isSeen) { return flaw }
            isSeen = isSeen || !open.isEmpty
            if isSeen, open.isEmpty { return puCount > 0 ? nil : "it describes no processing unit" }
        }
        return isSeen ? "it is cut short" : "it has no topology element"
    }

    private mutating func readMarkup(isFirst: Bool) -> String? {
        if rest.starts(with: "!--".utf8) { return skipComment() ? nil : "it is cut short" }
        guard let text = tag() else { return "it is cut short" }
        if text.first == UInt8(ascii: "?") || text.first == UInt8(ascii: "!") {
            return text.contains(UInt8(ascii: "[")) ? "it declares XML entities" : nil
        }
        if text.first == UInt8(ascii: "/") {
            let name = String(decoding: text.dropFirst(), as: UTF8.self).filter { !$0.isWhitespace }
            return open.popLast() == name ? nil : "its elements aren't closed in order"
        }
        guard var element = XMLElement(text) else { return "an element is malformed" }
        if isFirst, let flaw = rootFlaw(element) { return flaw }
        element.isVersion1 = isVersion1
        if let flaw = element.objectFlaw { return flaw }
        if element["type"] == "PU" { puCount += 1 }
        if !element.isEmpty { open.append(element.name) }
        return open.count <= 128 ? nil : "its elements are nested too deep"
    }

    private mutating func rootFlaw(_ element: XMLElement) -> String? {
        guard element.name == "topology" else { return "it is XML, but no hwloc topology" }
        guard let version = element["version"] else {
            isVersion1 = true
            return nil
        }
        return version.hasPrefix("2.") ? nil : "it is of hwloc's version \(printable(version, limit: 8)), not 2"
    }

    /// Takes a tag's text and its `>` off the rest; a `>` within quotes doesn't end it.
    private mutating func tag() -> ArraySlice<UInt8>? {
        var quote: UInt8?
        for (index, byte) in zip(rest.indices, rest) {
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                defer { rest = rest[(index + 1)...] }
                return rest[..<index]
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return nil
    }

    /// Takes a comment and its `-->` off the rest; false where it doesn't end.
    private mutating func skipComment() -> Bool {
        var dashes = 0
        for (index, byte) in zip(rest.indices, rest).dropFirst("!--".utf8.count) {
            if byte == UInt8(ascii: ">"), dashes >= 2 {
                rest = rest[(index + 1)...]
                return true
            }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }
}

func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
}
