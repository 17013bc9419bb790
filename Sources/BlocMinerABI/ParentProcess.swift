internal import Glibc

/// Tells a process that used the library from children that it forked: the library's threads stay behind.
enum ParentProcess {
    private static let identifier = getpid()

    /// Whether this is such a child.
    static var isMissing: Bool { identifier != getpid() }
}
