/// One start tag of an hwloc export.
struct XMLElement {
    let name: String
    let isEmpty: Bool
    var isVersion1 = false
    private var attributes: [String: String] = [:]

    /// Reads what stands between `<` and `>`; nil where that isn't a name and `key="value"` pairs, no key twice.
    init?(_ text: ArraySlice<UInt8>) {
        isEmpty = text.last == UInt8(ascii: "/")
        var rest = isEmpty ? text.dropLast() : text
        let name = rest.prefix { !isBlank($0) }
        guard !name.isEmpty, name.allSatisfy(isNameByte) else { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        rest = rest[name.endIndex...].drop(while: isBlank)
        while !rest.isEmpty {
            let key = rest.prefix(while: isNameByte)
            rest = rest[key.endIndex...]
            guard !key.isEmpty, rest.starts(with: "=\"".utf8) else { return nil }
            let value = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }
            guard value.endIndex < rest.endIndex else { return nil }
            let keyText = String(decoding: key, as: UTF8.self)
            guard attributes.updateValue(String(decoding: value, as: UTF8.self), forKey: keyText) == nil else {
                return nil
            }
            let after = rest[(value.endIndex + 1)...]
            rest = after.drop(while: isBlank)
            guard rest.isEmpty || rest.startIndex > after.startIndex else { return nil }
        }
    }

    subscript(key: String) -> String? { attributes[key] }

    /// What an `object` element lacks or has beyond measure; nil for a sound one and for any other element.
    var objectFlaw: String? {
        guard name == "object" else { return nil }
        guard let type = attributes["type"] else { return "an object has no type" }
        if ["Misc", "Bridge", "PCIDev", "OSDev"].contains(type) { return nil }
        let sets =
            isVersion1 ? ["cpuset", "complete_cpuset"] : ["cpuset", "complete_cpuset", "nodeset", "complete_nodeset"]
        if let missing = sets.first(where: { !isFiniteSet(attributes[$0]) }) {
            return "an object of type \(printable(type, limit: 16)) has no sound \(missing)"
        }
        if ["PU", "NUMANode"].contains(type) {
            guard let text = attributes["os_index"], let index = Int(text), (0...PUList.largestPU).contains(index)
            else {
                return "an object of type \(type) has no sound os_index"
            }
        }
        return nil
    }

    /// Whether it is hwloc's notation `0x…,0x…` for a set that ends, of at most 8192 members.
    private func isFiniteSet(_ text: String?) -> Bool {
        guard let text, text.hasPrefix("0x") || text.hasPrefix(",") else { return false }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        return words.count <= 256
            && words.allSatisfy { word in
                word.isEmpty
                    || (word.hasPrefix("0x") && (3...10).contains(word.utf8.count)
                        && UInt32(word.dropFirst(2), radix: 16) != nil)
            }
    }
}

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"): true
    default: false
    }
}
