import Glibc

/// The variables that this process was started with.
enum ProcessEnvironment {
    /// The variables that matter to a command, by name; those that aren't set are left out.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        for name in ["CACHE_DIRECTORY", "XDG_CACHE_HOME", "HOME"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }
}
