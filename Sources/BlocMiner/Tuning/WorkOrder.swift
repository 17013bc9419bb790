internal import CryptoNight
internal import MachineTopology

/// How a shift is to hash: in a form that is known, or in the one that a tuner finds.
struct WorkOrder: Sendable {
    /// Threads, lanes and path of the crew; for a tuner the most that it may try.
    let limits: HashingLimits
    /// What the tuner may try; nil where the form is known.
    let space: TuningSpace?
    /// What a tuner's result is kept under.
    let key: TuningKey
    /// The rate to expect, where a tuner measured it.
    let expected: Double?
    /// What is to be known about it, in words.
    let note: String?
}

extension Workshop {
    /// How to hash `variant`: as the limits say if they name the lanes; else as an earlier tuning found, unless `isFresh`
    /// asks for a new one.
    func order(
        for variant: HashVariant,
        tuning: TuningPolicy,
        isFresh: Bool = false
    ) throws(MinerError) -> WorkOrder {
        let space = try TuningSpace(variant, limits: limits, topology: topology)
        let key = key(for: variant, in: space)
        if !tuning.isEnabled || limits.lanes != nil && !isFresh {
            return WorkOrder(limits: limits, space: nil, key: key, expected: nil, note: nil)
        }
        var note: String?
        if !isFresh, let cache = tuning.cache {
            do throws(MinerError) {
                if let known = try cache.result(for: key) {
                    let limits = try limits.fixed(by: known)
                    return WorkOrder(limits: limits, space: nil, key: key, expected: known.hashesPerSecond, note: nil)
                }
            } catch {
                note = error.description
            }
        }
        var widest = limits
        widest.threads = space.threads.max()
        widest.lanes = space.mostLanes
        return WorkOrder(limits: widest, space: space, key: key, expected: nil, note: note)
    }

    private func key(for variant: HashVariant, in space: TuningSpace) -> TuningKey {
        let pus = limits.affinity?.description ?? (try? PUList(topology.allowedPUs.map(\.osIndex)))?.description ?? ""
        return TuningKey(
            machine: topology.name,
            pus: pus,
            threads: limits.threads,
            path: limits.path?.name,
            memory: limits.memoryBytes.map { $0 >> 26 },
            pages: limits.hugePages.rawValue + (space.keepsToReserve ? "+reserve" : ""),
            algorithm: variant.name,
            kernelVersion: KernelVersion.current
        )
    }
}

extension HashingLimits {
    /// These limits with the form that a tuner found.
    func fixed(by result: TuningResult) throws(MinerError) -> HashingLimits {
        var limits = self
        limits.threads = result.threads
        limits.lanes = result.lanes
        do { limits.path = try InstructionSet(named: result.path) } catch { throw .failure(error.description) }
        return limits
    }
}

/// Whether and how a miner looks for the fastest form of work.
public struct TuningPolicy: Hashable, Sendable {
    /// Whether a form is looked for where no lane count is given; without it there is one lane a thread.
    public var isEnabled: Bool
    /// Where results are kept; nil: nowhere, so that every start tunes.
    public var cache: TuningCache?

    /// Tunes, by default, and keeps results in `cache`.
    public init(isEnabled: Bool = true, cache: TuningCache? = nil) {
        self.isEnabled = isEnabled
        self.cache = cache
    }
}
