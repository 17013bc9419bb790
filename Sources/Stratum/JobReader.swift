import MiningWork

/// What a pool's job object turned out to be.
enum JobReading: Hashable, Sendable {
    /// Work.
    case job(Job)
    /// An empty job, the way of older pools to say that nothing changed.
    case nothingNew
    /// No work for this miner, and why.
    case refused(String)
    /// Good but for the algorithm, which neither it nor the configuration names.
    case withoutAlgorithm
}

/// Makes jobs of what a pool sends.
struct JobReader: Sendable {
    /// The longest identifier taken from a pool, in bytes.
    static let maximumIdentifierBytes = 255

    let catalog: AlgorithmCatalog
    /// For jobs that name no algorithm.
    let configuredAlgorithm: Algorithm?
    let keepsHighNonceByte: Bool
    /// Which login the jobs belong to.
    let session: UInt64
    let secrets: LoginSecrets

    /// Reads the `job` member of a login reply, the `params` of a notification, or the result of `getjob`.
    func read(_ value: JSONValue) -> JobReading {
        guard value.isObject else { return .refused("it is not an object") }
        let members = ["blob", "job_id", "target"].map { value[$0]?.string }
        if members == ["", "", ""] { return .nothingNew }
        guard let id = Self.identifier(value["job_id"]) else { return .refused("it has no usable job_id") }
        guard let blob = members[0].flatMap({ Hex.decode($0) }), !blob.isEmpty else {
            return .refused("it has no blob in hex")
        }
        guard let targetText = members[2] else { return .refused("it has no target") }
        do {
            let target = try Target(compact: targetText)
            switch algorithm(of: value) {
            case .unnamed: return .withoutAlgorithm
            case .unknown(let name): return .refused(unknown(name))
            case .known(let algorithm):
                return .job(try job(id: id, blob: blob, target: target, algorithm: algorithm, height: value["height"]))
            }
        } catch {
            return .refused("\(error)")
        }
    }

    /// An opaque, printable, not too long identifier of a pool's making; nil for anything else.
    static func identifier(_ value: JSONValue?) -> String? {
        guard let text = value?.string, !text.isEmpty, text.utf8.count <= maximumIdentifierBytes,
            PeerText.printable(text, limit: maximumIdentifierBytes) == text
        else { return nil }
        return text
    }

    /// Whether a job says how it is hashed.
    static func namesAlgorithm(_ value: JSONValue) -> Bool { value["algo"]?.string?.isEmpty == false }

    private enum NamedAlgorithm {
        case known(Algorithm)
        case unknown(String)
        case unnamed
    }

    /// The job's own choice wins. A member of a wrong type counts as absent, as it does for other miners.
    private func algorithm(of value: JSONValue) -> NamedAlgorithm {
        if Self.namesAlgorithm(value), let name = value["algo"]?.string {
            return catalog.algorithm(named: name).map { .known($0) } ?? .unknown(name)
        }
        return configuredAlgorithm.map { .known($0) } ?? .unnamed
    }

    private func unknown(_ name: String) -> String {
        let near = catalog.names(near: name.prefix(64), limit: 1).first.map { "; the nearest it knows is \($0)" } ?? ""
        return "its algorithm is \"\(secrets.printable(name, limit: 40))\", which this miner does not know\(near)"
    }

    private func job(
        id: String,
        blob: [UInt8],
        target: Target,
        algorithm: Algorithm,
        height: JSONValue?
    ) throws(JobError) -> Job {
        try Job(
            id: id,
            session: session,
            blob: blob,
            target: target,
            algorithm: algorithm,
            height: height?.unsigned,
            keepsHighNonceByte: keepsHighNonceByte
        )
    }
}
