internal import CryptoNight
internal import FoundationEssentials

/// What a tuning result holds for: another machine, limit or kernel needs its own.
public struct TuningKey: Hashable, Sendable, Codable {
    /// The CPU's model.
    public let machine: String
    /// The PUs that may be used, such as "0,2-5".
    public let pus: String
    /// The thread count that was asked for; nil for any.
    public let threads: Int?
    /// The path that was asked for; nil for any.
    public let path: String?
    /// Memory that was asked for, in units of 64 MiB; nil for a part of what is free.
    public let memory: Int?
    /// The pages that were asked for, and whether the system has reserved any.
    public let pages: String
    /// The algorithm.
    public let algorithm: String
    /// `KernelVersion.current` of the kernels that were measured.
    public let kernelVersion: Int
}

/// The fastest form of work that was found, and its rate.
public struct TuningResult: Hashable, Sendable, Codable {
    /// Threads.
    public let threads: Int
    /// Lanes on each.
    public let lanes: Int
    /// The path's name.
    public let path: String
    /// Hashes per second of all threads when it was found.
    public let hashesPerSecond: Double

    /// `form` is the fastest.
    public init(_ form: WorkForm, hashesPerSecond: Double) {
        threads = form.threads
        lanes = form.lanes
        path = form.path.name
        self.hashesPerSecond = hashesPerSecond
    }
}

/// Tuning results in a file, `tuning.json`. Reads and writes are whole: two miners at a time don't damage it.
public struct TuningCache: Hashable, Sendable {
    /// The file's path.
    public let path: String

    private struct Entry: Codable {
        let key: TuningKey
        let result: TuningResult
    }

    private static let largestFile = 1 << 20
    private static let capacity = 256

    /// The cache in `folder`, which comes into being with the first result.
    public init(folder: String) { path = folder + "/tuning.json" }

    /// The user's cache: in $CACHE_DIRECTORY (as systemd gives it), $XDG_CACHE_HOME/blocminer or ~/.cache/blocminer; nil
    /// without any of them.
    public init?(environment: [String: String]) {
        if let folder = environment["CACHE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/") {
            self.init(folder: String(folder))
        } else if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
            self.init(folder: folder + "/blocminer")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            self.init(folder: home + "/.cache/blocminer")
        } else {
            return nil
        }
    }

    /// What was found for `key`; nil when nothing was, or the file doesn't exist.
    public func result(for key: TuningKey) throws(MinerError) -> TuningResult? {
        try entries().last { $0.key == key }?.result
    }

    /// Keeps `result`, in place of an earlier one for `key`. A file that can't be read is replaced.
    public func keep(_ result: TuningResult, for key: TuningKey) throws(MinerError) {
        let others = ((try? entries()) ?? []).filter { $0.key != key }
        let all = others.suffix(Self.capacity - 1) + [Entry(key: key, result: result)]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // Written beside it and renamed over it.
            try encoder.encode(Array(all)).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .failure("the tuning result cannot be kept in \(path): \(error)")
        }
    }

    private func entries() throws(MinerError) -> [Entry] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            let data = try Data(contentsOf: URL(filePath: path), options: [])
            guard data.count <= Self.largestFile else { throw MinerError.failure("it has \(data.count) bytes") }
            return try JSONDecoder().decode([Entry].self, from: data)
        } catch {
            throw .failure("\(path) is damaged and ignored; it is replaced after the next tuning")
        }
    }
}
