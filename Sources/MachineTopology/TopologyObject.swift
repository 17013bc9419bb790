/// What must hold for an `object` element among the others; hwloc 2.9 relies on it without a check.
struct TopologyObject {
    let type: String
    /// I/O devices and annotations, which need no sets.
    let isPlaceless: Bool
    /// The PUs in the object, and those besides that are offline or may not be used.
    let cpuset: IndexSet
    let completeCPUSet: IndexSet
    /// The OS number of a PU or node.
    let osIndex: Int?
    /// The PUs that objects inside have taken.
    private(set) var taken = IndexSet.empty

    /// Objects of memory share the PUs of the objects beside them.
    var isMemory: Bool { type == "NUMANode" || type == "MemCache" }

    private init(type: String, isPlaceless: Bool, cpuset: IndexSet, completeCPUSet: IndexSet, osIndex: Int?) {
        self.type = type
        self.isPlaceless = isPlaceless
        self.cpuset = cpuset
        self.completeCPUSet = completeCPUSet
        self.osIndex = osIndex
    }

    /// Either the object or what is wrong with it.
    static func read(_ element: XMLElement, isVersion1: Bool) -> (object: TopologyObject?, flaw: String) {
        guard let type = element["type"] else { return (nil, "an object has no type") }
        let shown = "an object of type \(printable(type, limit: 16))"
        let isPlaceless = ["Misc", "Bridge", "PCIDev", "OSDev"].contains(type)
        let needed = ["cpuset", "complete_cpuset"] + (isVersion1 ? [] : ["nodeset", "complete_nodeset"])
        if !isPlaceless, let missing = needed.first(where: { element[$0] == nil }) {
            return (nil, "\(shown) has no \(missing)")
        }
        var index: Int?
        if type == "PU" || type == "NUMANode" {
            index = element["os_index"].flatMap { Int($0) }
            guard let index, (0...PUList.largestPU).contains(index) else {
                return (nil, "\(shown) has no sound os_index")
            }
        }
        let object = TopologyObject(
            type: type,
            isPlaceless: isPlaceless,
            cpuset: element["cpuset"].flatMap { IndexSet($0) } ?? .empty,
            completeCPUSet: element["complete_cpuset"].flatMap { IndexSet($0) } ?? .empty,
            osIndex: index
        )
        return object.ownFlaw.map { (nil, "\(shown) \($0)") } ?? (object, "")
    }

    private var ownFlaw: String? {
        guard cpuset.isSubset(of: completeCPUSet) else { return "has a cpuset beyond its complete_cpuset" }
        guard type == "PU", let osIndex else { return nil }
        return completeCPUSet == IndexSet(only: osIndex) ? nil : "has the CPU set of another"
    }

    /// Whether this object's PUs are all that `child` has, or more.
    func encloses(_ child: TopologyObject) -> Bool {
        child.cpuset.isSubset(of: cpuset) && child.completeCPUSet.isSubset(of: completeCPUSet)
    }

    /// Lets `child` be inside this object; false where it doesn't fit.
    mutating func adopt(_ child: TopologyObject) -> Bool {
        if child.isPlaceless { return true }
        guard !isPlaceless, type != "PU", child.type != "Machine", encloses(child) else { return false }
        if child.isMemory { return true }
        guard child.completeCPUSet.isDisjoint(with: taken), !isMemory else { return false }
        taken = taken.union(child.completeCPUSet)
        return true
    }
}
