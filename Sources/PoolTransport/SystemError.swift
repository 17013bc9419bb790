import Glibc

/// A failed system call.
struct SystemError: Error, Hashable {
    /// The value of `errno`.
    let code: Int32

    /// The last call's error on this thread.
    static var last: SystemError { SystemError(code: errno) }

    /// What happened, as a log says it; `peer` is who the other side is.
    func words(peer: String) -> String {
        switch code {
        case ECONNREFUSED: "refused"
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT: "unreachable"
        case ETIMEDOUT: "timed out"
        case ECONNRESET, ECONNABORTED: "reset by the \(peer)"
        case EPIPE: "closed by the \(peer)"
        case EMFILE, ENFILE: "too many open files"
        case EACCES, EPERM: "not permitted"
        case EADDRINUSE: "the port is in use"
        default: String(cString: strerror(code))
        }
    }
}
