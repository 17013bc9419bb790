internal import BlocMiner
internal import CBlocMiner

/// Texts that live as long as the process, for C.
enum Texts {
    /// The library's version.
    nonisolated(unsafe) static let version = permanent(BlocMinerVersion.current)

    /// A copy that is never freed.
    static func permanent(_ text: String) -> UnsafePointer<CChar> {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.update(fromContentsOf: bytes)
        return copy.baseAddress.map { UnsafePointer($0) } ?? constant("")
    }

    /// A text from C.
    static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

    /// A status in words.
    static func words(for status: blocminer_status_t) -> UnsafePointer<CChar> {
        switch Int(status) {
        case BLOCMINER_OK: constant("done")
        case BLOCMINER_INVALID_ARGUMENT: constant("a pointer is null or a value is out of range")
        case BLOCMINER_INVALID_SIZE: constant("the size of a struct is wrong")
        case BLOCMINER_INVALID_HANDLE: constant("this is no miner, or one that has been destroyed")
        case BLOCMINER_UNKNOWN_ALGORITHM: constant("no algorithm has this name")
        case BLOCMINER_WRONG_STATE: constant("the miner cannot do that now")
        case BLOCMINER_IN_CALLBACK: constant("not to be called within an event callback")
        case BLOCMINER_FORKED: constant("the process is the child of one that used the library")
        case BLOCMINER_NO_MEMORY: constant("there is not enough memory")
        case BLOCMINER_FAILED: constant("something failed here and now")
        case BLOCMINER_NO: constant("no")
        default: constant("unknown status")
        }
    }
}
