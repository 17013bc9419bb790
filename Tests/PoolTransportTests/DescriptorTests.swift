import Glibc
import PoolTransport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DescriptorTests {
    /// In a process of its own, so that no other test opens files meanwhile.
    @Test func leaksNoDescriptorInAThousandConnections() async {
        await #expect(processExitsWith: .success) {
            let pool = try TestPool { connection, event in
                if case .line = event { connection.close() }
            }
            defer { pool.stop() }
            try await connect(times: 10, to: pool)
            let before = openDescriptors()
            try await connect(times: 1000, to: pool)
            #expect(openDescriptors() == before)
            #expect(before > 0)
        }
    }
}

/// Connects again and again, ended by either side in turn, and waits until both have closed.
private func connect(times: Int, to pool: TestPool) async throws {
    for round in 0..<times {
        let miner = try Witness(to: pool.port)
        for await event in miner.events {
            guard case .connected = event else { continue }
            if round.isMultiple(of: 2) { miner.connection.close() } else { miner.connection.send(line: "bye") }
        }
    }
    while pool.witnesses.count < times { await Task.yield() }
    for witness in pool.witnesses { for await _ in witness.events {} }
}

private func openDescriptors() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}
