internal import CHashKernels

/// How the programs of cn/r run.
public enum ProgramForm: Hashable, Sendable {
    /// As machine code, in memory that is never writable and executable at once.
    case native
    /// Instruction by instruction, which makes the hash several times slower.
    case interpreted(InterpretationReason)
}

/// Why a program of cn/r is interpreted.
public enum InterpretationReason: Hashable, Sendable {
    /// It was asked for.
    case wanted
    /// The portable path always does, as it is the judge of the others.
    case portablePath
    /// The system gives this process no executable memory.
    case refused
    /// This build has no code generator for its architecture.
    case noGenerator
}

extension ProgramForm: CustomStringConvertible {
    /// The form in words and, where something can be done about it, what to do.
    public var description: String {
        switch self {
        case .native: "machine code"
        case .interpreted(.wanted): "interpreted, as asked for"
        case .interpreted(.portablePath): "interpreted, as always on path 'portable'"
        case .interpreted(.refused):
            "interpreted: the system gives this process no executable memory; "
                + "look at vm.memfd_noexec and at the process's seccomp or SELinux rules"
        case .interpreted(.noGenerator): "interpreted: there is no code generator for this architecture"
        }
    }
}

/// A cn/r program in memory that stays where it is, with its machine code where there is some.
final class HeightProgram {
    let height: UInt64
    let form: ProgramForm
    let instructions: UnsafeMutablePointer<chk_program>
    let code: OpaquePointer?

    /// The program of `height`, interpreted if a reason for that is given.
    init(height: UInt64, interpretedBecause reason: InterpretationReason? = nil) {
        self.height = height
        instructions = .allocate(capacity: 1)
        instructions.initialize(to: chk_program())
        chk_program_make(instructions, height)
        if let reason {
            code = nil
            form = .interpreted(reason)
        } else {
            var origin = CHK_CODE_REFUSED
            code = chk_code_make(instructions, &origin)
            form = ProgramForm(origin)
        }
    }

    deinit {
        chk_code_free(code)
        instructions.deallocate()
    }
}

extension ProgramForm {
    fileprivate init(_ origin: chk_code_origin) {
        switch origin {
        case CHK_CODE_IN_TURNED_PAGE, CHK_CODE_IN_FILE_PAGE: self = .native
        case CHK_CODE_NO_GENERATOR: self = .interpreted(.noGenerator)
        default: self = .interpreted(.refused)
        }
    }
}
