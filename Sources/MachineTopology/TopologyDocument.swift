/// A look at a topology file before hwloc sees it: hwloc 2.9 trusts the tree and the sets that its own export writes and
/// crashes where they don't fit together, so a damaged file must be turned away here.
struct TopologyDocument {
    private var rest: ArraySlice<UInt8>
    private var isVersion1 = false
    /// The elements not yet closed; those that are objects with what they hold.
    private var open: [(name: String, object: TopologyObject?)] = []
    private var machineCount = 0
    private var known: [String: Set<Int>] = [:]

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
            if let flaw = markupFlaw(isFirst: !isSeen) { return flaw }
            isSeen = isSeen || !open.isEmpty
            if isSeen, open.isEmpty { return lack }
        }
        return isSeen ? "it is cut short" : "it has no topology element"
    }

    private var lack: String? {
        if known["PU"] == nil { return "it describes no processing unit" }
        return isVersion1 || known["NUMANode"] != nil ? nil : "it describes no NUMA node"
    }

    private mutating func markupFlaw(isFirst: Bool) -> String? {
        if rest.starts(with: "!--".utf8) { return skipComment() ? nil : "it is cut short" }
        guard let text = tag() else { return "it is cut short" }
        if text.first == UInt8(ascii: "?") || text.first == UInt8(ascii: "!") {
            return text.contains(UInt8(ascii: "[")) ? "it declares XML entities" : nil
        }
        if text.first == UInt8(ascii: "/") {
            let name = String(decoding: text.dropFirst(), as: UTF8.self).filter { !$0.isWhitespace }
            return open.popLast()?.name == name ? nil : "its elements aren't closed in order"
        }
        guard let element = XMLElement(text) else { return "an element is malformed" }
        return isFirst ? rootFlaw(element) : elementFlaw(element)
    }

    private mutating func rootFlaw(_ element: XMLElement) -> String? {
        guard element.name == "topology" else { return "it is XML, but no hwloc topology" }
        let version = element["version"]
        isVersion1 = version == nil
        if let version, !version.hasPrefix("2.") {
            return "it is of hwloc's version \(printable(version, limit: 8)), not 2"
        }
        guard !element.isEmpty else { return "it describes no processing unit" }
        open.append((element.name, nil))
        return nil
    }

    private mutating func elementFlaw(_ element: XMLElement) -> String? {
        if let key = element.key(endingIn: "set", where: { IndexSet($0) == nil }) {
            return
                "an element of type \(printable(element["type"] ?? element.name, limit: 16)) has no sound \(printable(key))"
        }
        var object: TopologyObject?
        if element.name == "object" {
            let read = TopologyObject.read(element, isVersion1: isVersion1)
            guard let sound = read.object, isPlaced(sound) else {
                return read.object.map { "an object of type \(printable($0.type, limit: 16)) is out of place" }
                    ?? read.flaw
            }
            object = sound
        }
        if !element.isEmpty { open.append((element.name, object)) }
        return open.count <= 128 ? nil : "its elements are nested too deep"
    }

    /// Whether the object may stand here: one machine at the top, the others each inside one that holds their PUs, no PU
    /// or node twice.
    private mutating func isPlaced(_ object: TopologyObject) -> Bool {
        if let index = object.osIndex, !known[object.type, default: []].insert(index).inserted { return false }
        let parent = open.count - 1
        if open[parent].object != nil { return isAdopted(object, by: parent) }
        machineCount += 1
        return parent == 0 && machineCount == 1 && object.type == "Machine"
    }

    /// Whether the open object `parent` takes this one in. In hwloc 1's files what a NUMA node holds stands inside it;
    /// hwloc 2 moves that out, to the next object around that is no memory, where it must fit too.
    private mutating func isAdopted(_ object: TopologyObject, by parent: Int) -> Bool {
        var holder = parent
        while isVersion1, !object.isPlaceless, !object.isMemory, let node = open[holder].object, node.isMemory {
            guard node.encloses(object), holder > 0 else { return false }
            holder -= 1
        }
        return open[holder].object?.adopt(object) ?? false
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
