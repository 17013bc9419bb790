/// The version of this library and its command line.
public enum BlocMinerVersion {
    /// Semantic version, as the agent string, `blocminer version` and every report give it.
    public static let current = "0.1.0"
}
