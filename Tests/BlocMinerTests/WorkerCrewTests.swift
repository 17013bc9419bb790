import CryptoNight
import Dispatch
import FoundationEssentials
import MachineTopology
import MiningWork
import Synchronization
import Testing

@testable import BlocMiner

@Suite(.timeLimit(.minutes(1))) struct WorkerCrewTests {
    /// Starts a crew of one or more threads and collects what it says.
    private func start(
        _ crew: WorkerCrew,
        found: @escaping @Sendable (Share) -> Void = { _ in }
    ) throws -> AsyncStream<WorkerReport> {
        let (reports, inbox) = AsyncStream.makeStream(of: WorkerReport.self)
        crew.start(policy: .prefer, pinning: try Pinning(), found: found) { inbox.yield($0) }
        return reports
    }

    private func crew(_ variant: HashVariant, threads: Int = 1, lanes: Int = 2) throws -> WorkerCrew {
        let plan = try HashingLimits(threads: threads, lanes: lanes).plan(for: variant, on: try .current())
        return WorkerCrew(plan: plan, kernel: HashKernel(variant: variant, path: .portable, lanes: lanes))
    }

    @Test func hashesTheLastNoncesOfAJobOnceAndSaysSo() async throws {
        let variant = try quickVariant()
        let crew = try crew(variant, lanes: 4)
        let shares = Mutex<[Share]>([])
        let reports = try start(crew) { share in shares.withLock { $0.append(share) } }
        let job = try job(of: variant, difficulty: 1, keepsHighNonceByte: true)
        crew.board.assign(Assignment(job: job, nonces: NonceCounter(startingAt: (1 << 24) - 10)))
        for await case .exhausted(let used) in reports {
            #expect(used == job)
            break
        }
        await crew.stop()
        let nonces = shares.withLock { $0.map(\.nonce.value).sorted() }
        #expect(nonces == Array((1 << 24) - 10..<(1 << 24)))
        #expect(crew.hashes == 10)
        #expect(shares.withLock { $0.allSatisfy { $0.digest == digest(of: $0) } })
    }

    private func digest(of share: Share) -> Digest? {
        guard let variant = HashVariant(share.job.algorithm) else { return nil }
        guard var workspace = try? HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1)) else {
            return nil
        }
        return (try? workspace.hash([share.job.blob(with: share.nonce)]))?.flatMap(\.first)
    }

    @Test(arguments: HashVariant.all) func stopsInTheMiddleOfAnyHash(variant: HashVariant) async throws {
        let crew = try crew(variant)
        let reports = try start(crew)
        crew.board.assign(Assignment(job: try job(of: variant), nonces: NonceCounter()))
        for await case .ready in reports { break }
        await crew.stop()
        #expect(crew.board.isClosed)
    }

    /// The PUs of the calling thread, as the kernel writes them.
    private static func allowedPUs() -> String? {
        let status = try? String(contentsOf: URL(filePath: "/proc/thread-self/status"), encoding: .utf8)
        return status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }.map(String.init)
    }

    @Test func checksSharesOnAThreadThatIsNotPinned() async throws {
        let (masks, inbox) = AsyncStream.makeStream(of: String?.self)
        let variant = try quickVariant()
        let limits = HashingLimits(threads: 1, lanes: 2)
        let workshop = try Workshop(limits: limits) { if case .checked = $0 { inbox.yield(Self.allowedPUs()) } }
        let (shift, _) = try await workshop.prepare(variant, limits: limits)
        workshop.start(shift)
        shift.crew.board.assign(Assignment(job: try job(of: variant, difficulty: 4), nonces: NonceCounter()))
        var seen: Set<String?> = []
        for await mask in masks.prefix(20) { seen.insert(mask) }
        await shift.crew.stop()
        shift.verifier.close()
        #expect(seen == [Self.allowedPUs()])
    }

    @Test func saysWhichPagesEachWorkerGot() async throws {
        let threads = min(2, try TopologySnapshot.current().allowedPUs.count)
        let crew = try crew(try quickVariant(), threads: threads)
        let reports = try start(crew)
        var ready: Set<Int> = []
        for await report in reports {
            guard case .ready(let worker, let pages) = report else { continue }
            #expect(pages.totalPages == 1)
            ready.insert(worker)
            if ready.count == threads { break }
        }
        await crew.stop()
        #expect(ready == Set(0..<threads))
    }
}
