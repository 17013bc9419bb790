internal import CHashKernels
internal import MiningWork

/// One path through the kernels: the same algorithms on other instructions. A row of the kernels' path table.
public struct InstructionSet: Hashable, Sendable {
    /// Its name, such as "portable" or "aesni".
    public let name: String
    let index: Int

    /// Every path of this build, the weakest first.
    public static let all: [InstructionSet] = (0..<chk_path_count()).compactMap(InstructionSet.init(index:))

    /// The paths that this CPU and its operating system run, the weakest first.
    public static let supported: [InstructionSet] = all.filter(\.isSupported)

    /// The judge of all others: plain C that runs on any CPU.
    public static let portable = InstructionSet(name: String(cString: chk_path_name(0)), index: 0)

    /// The path called `name`; an unknown one, or one that this CPU lacks, is refused.
    public init(named name: String) throws(InstructionSetError) {
        let wanted = name.lowercased()
        guard let path = Self.all.first(where: { $0.name == wanted }) else {
            throw .unknown(name: name, known: Self.all.map(\.name))
        }
        guard path.isSupported else { throw .unsupported(name: path.name, supported: Self.supported.map(\.name)) }
        self = path
    }

    /// Whether this CPU and its operating system run it.
    public var isSupported: Bool { chk_path_supported(index) }

    private init(name: String, index: Int) {
        self.name = name
        self.index = index
    }

    private init?(index: Int) {
        guard let name = chk_path_name(index) else { return nil }
        self.init(name: String(cString: name), index: index)
    }
}

/// Why a path can't be used.
public enum InstructionSetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No path of this build has the name.
    case unknown(name: String, known: [String])
    /// The CPU, or its operating system, lacks the instructions.
    case unsupported(name: String, supported: [String])

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .unknown(let name, let known):
            "no path is called '\(PeerText.printable(name))'; choose one of \(known.joined(separator: ", "))"
        case .unsupported(let name, let supported):
            "this CPU cannot run path '\(name)'; choose one of \(supported.joined(separator: ", "))"
        }
    }
}
