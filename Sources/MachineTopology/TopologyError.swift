/// Why a machine couldn't be read or its threads couldn't be planned. `description` is one sentence to show as it is.
public enum TopologyError: Error, Equatable, Sendable {
    /// The file can't be opened or read; `reason` is the system's.
    case unreadableFile(path: String, reason: String)
    /// The path leads to a directory, a pipe or a device.
    case notRegularFile(path: String)
    /// The file is larger than any machine's description.
    case oversizedFile(path: String, limitBytes: Int)
    /// The file was read and isn't a topology that hwloc 2 can load.
    case notTopologyFile(path: String, reason: String)
    /// hwloc doesn't understand the synthetic description.
    case badSynthetic(text: String)
    /// hwloc can't read the machine that this process runs on.
    case unreadableHost(reason: String)
    /// The description holds no processor that may be used.
    case noAllowedPU(source: String)
    /// A list of PUs isn't one; `part` is the offending piece.
    case badPUList(part: String, reason: String)
    /// A thread count below 1 or above the limit on threads.
    case threadCountOutOfRange(asked: Int, maximum: Int)
    /// More threads than allowed PUs.
    case tooManyThreads(asked: Int, allowed: Int)
    /// More threads than PUs named in the affinity list.
    case affinityTooShort(asked: Int, listed: Int)
    /// The affinity list names more PUs than there may be threads.
    case affinityTooLong(listed: Int, maximum: Int)
    /// The affinity list names a PU that the machine doesn't have.
    case unknownPU(Int, known: String)
    /// The affinity list names a PU that this process may not run on.
    case disallowedPU(Int, allowed: String)
    /// A number of lanes outside 1 … 64.
    case lanesOutOfRange(Int)
    /// A scratchpad size below 1 byte or above 1 GiB.
    case scratchpadOutOfRange(bytes: Int)
}

extension TopologyError: CustomStringConvertible {
    /// What happened, with which input, and what to do.
    public var description: String {
        switch self {
        case .unreadableFile, .notRegularFile, .oversizedFile, .notTopologyFile: fileDescription
        case .badSynthetic, .unreadableHost, .noAllowedPU: machineDescription
        default: limitDescription
        }
    }

    private var fileDescription: String {
        switch self {
        case .unreadableFile(let path, let reason):
            "can't read the topology file \(quoted(path)): \(reason); check the path and its permissions"
        case .notRegularFile(let path):
            "the topology file \(quoted(path)) is not a regular file; give the XML file that `lstopo machine.xml` writes"
        case .oversizedFile(let path, let limitBytes):
            "the topology file \(quoted(path)) is larger than \(binarySize(limitBytes)); "
                + "give the XML file that `lstopo machine.xml` writes"
        case .notTopologyFile(let path, let reason):
            "the topology file \(quoted(path)) can't be loaded: \(reason); "
                + "export it anew with hwloc 2's `lstopo machine.xml`"
        default: ""
        }
    }

    private var machineDescription: String {
        switch self {
        case .badSynthetic(let text):
            "hwloc doesn't understand the synthetic topology \(quoted(text)); "
                + "write it like \"numa:2 l3:2(size=16777216) core:4 pu:2\""
        case .unreadableHost(let reason):
            "hwloc can't read this machine's topology: \(reason); give a topology file instead"
        case .noAllowedPU(let source):
            "\(printable(source, limit: 256)) has no processing unit that may be used; check the CPU set of the process or container"
        default: ""
        }
    }

    private var limitDescription: String {
        switch self {
        case .badPUList(let part, let reason):
            "bad list of PUs at \(quoted(part)): \(reason); write OS PU numbers like \"0,2-5\""
        case .threadCountOutOfRange(let asked, let maximum):
            "\(counted(asked, "thread")) asked for; give a number from 1 to \(maximum)"
        case .tooManyThreads(let asked, let allowed):
            "\(counted(asked, "thread")) asked for, but this process may use \(counted(allowed, "PU")); "
                + "ask for at most \(allowed)"
        case .affinityTooShort(let asked, let listed):
            "\(counted(asked, "thread")) asked for, but the affinity list names \(counted(listed, "PU")); "
                + "name as many PUs as threads"
        case .affinityTooLong(let listed, let maximum):
            "the affinity list names \(counted(listed, "PU")), but there may be at most \(counted(maximum, "thread")); shorten it"
        case .unknownPU(let pu, let known):
            "the affinity list names PU \(pu), which this machine doesn't have; its PUs are \(known)"
        case .disallowedPU(let pu, let allowed):
            "the affinity list names PU \(pu), which this process may not run on; it may use \(allowed)"
        case .lanesOutOfRange(let lanes):
            "\(counted(lanes, "lane")) a thread asked for; give a number from 1 to \(ThreadLimits.laneRange.upperBound)"
        case .scratchpadOutOfRange(let bytes):
            "a scratchpad of \(counted(bytes, "byte")) can't be planned for; give 1 byte to 1 GiB"
        default: ""
        }
    }

    private func quoted(_ text: String) -> String {
        "\"\(printable(text, limit: 256))\""
    }
}
