internal import CryptoNight
internal import Dispatch
internal import MachineTopology
internal import PoolTransport

/// Threads that measure in step: each on its PU of a plan, all doing the same at the same time.
struct ProbeCrew: Sendable {
    private let places: [ThreadPlan.Placement]
    private let pinning: Pinning

    /// A crew on these places.
    init(places: [ThreadPlan.Placement]) throws(MinerError) {
        self.places = places
        do { pinning = try Pinning() } catch { throw .failure("\(error)") }
    }

    /// Runs `body` on every thread, each told its number, and returns what they found. Ends with the first error, or when
    /// the task is cancelled.
    func run<Finding: Sendable>(
        _ body: @escaping @Sendable (ProbeStation) throws -> Finding
    ) async throws(MinerError) -> [Finding] {
        let station = ProbeStation(number: 0, meeting: Rendezvous(of: places.count))
        let log = FindingLog<Finding>(count: places.count)
        await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                let group = DispatchGroup()
                for (number, place) in places.enumerated() {
                    DispatchQueue(label: "blocminer.probe.\(number)").async(group: group) { [pinning] in
                        pinning.withPinned(to: place.pu) { _ in log.keep(station.numbered(number), body) }
                    }
                }
                group.notify(queue: .global()) { ended.resume() }
            }
        } onCancel: {
            station.callOff()
        }
        return try log.findings()
    }
}

/// One thread's place in a crew.
struct ProbeStation: Sendable {
    /// Counts from 0.
    let number: Int
    private let meeting: Rendezvous
    private let signal: WorkSignal

    init(number: Int, meeting: Rendezvous) {
        self.init(number: number, meeting: meeting, signal: WorkSignal())
    }

    private init(number: Int, meeting: Rendezvous, signal: WorkSignal) {
        self.number = number
        self.meeting = meeting
        self.signal = signal
    }

    /// What loops watch, to end when the measurement is called off.
    var watch: WorkWatch { WorkWatch(signal, count: 0) }

    /// Waits for the other threads.
    func arrive() throws(ProbeError) { if !meeting.arrive() { throw .calledOff } }

    /// Ends the measurement on every thread.
    func callOff() {
        signal.advance()
        meeting.callOff()
    }

    fileprivate func numbered(_ number: Int) -> ProbeStation {
        ProbeStation(number: number, meeting: meeting, signal: signal)
    }
}

/// Why a measurement came to no result.
enum ProbeError: Error {
    /// Another thread failed, or the task was cancelled.
    case calledOff
}

/// What a crew's threads found.
private final class FindingLog<Finding: Sendable>: Sendable {
    private struct State: Sendable {
        var findings: [Finding?]
        var failure: String?
    }

    private let state: Locked<State>

    init(count: Int) { state = Locked(State(findings: Array(repeating: nil, count: count))) }

    func keep(_ station: ProbeStation, _ body: (ProbeStation) throws -> Finding) {
        do {
            let finding = try body(station)
            state.withLock { $0.findings[station.number] = finding }
        } catch {
            if !(error is ProbeError) { state.withLock { $0.failure = "\(error)" } }
            station.callOff()
        }
    }

    func findings() throws(MinerError) -> [Finding] {
        let state = state.withLock { $0 }
        if let failure = state.failure { throw .failure(failure) }
        let findings = state.findings.compactMap { $0 }
        guard findings.count == state.findings.count else { throw .failure("the measurement was cancelled") }
        return findings
    }
}
