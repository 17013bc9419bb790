import Glibc
import MachineTopology
import Testing

@Suite struct PinningTests {
    private let pinning: Pinning
    private let pus: [Int]

    init() throws {
        pinning = try Pinning()
        pus = try AffinityMask.ofCallingThread().pus
    }

    @Test func pinsToEachAllowedPUAndRestoresTheMask() throws {
        for pu in pus {
            let inside = try pinning.withPinned(to: pu) { outcome throws in
                #expect(outcome.isPinned, "\(outcome.notes)")
                return try AffinityMask.ofCallingThread()
            }
            #expect(inside.pus == [pu])
            #expect(try AffinityMask.ofCallingThread().pus == pus)
        }
    }

    @Test func freesAPinnedThreadForAWhile() throws {
        let first = try #require(pus.first)
        var inside: [Int]?
        var after: [Int]?
        try pinning.withPinned(to: first) { _ throws in
            pinning.withoutPin { inside = try? AffinityMask.ofCallingThread().pus }
            after = try AffinityMask.ofCallingThread().pus
        }
        #expect(inside == pus)
        #expect(after == [first])
    }

    @Test func restoresANarrowMask() throws {
        let last = try #require(pus.last)
        let first = try #require(pus.first)
        try #require(AffinityMask(pus: [last]).apply(to: 0))
        defer { _ = AffinityMask(pus: pus).apply(to: 0) }
        try pinning.withPinned(to: first) { _ throws in #expect(try AffinityMask.ofCallingThread().pus == [first]) }
        #expect(try AffinityMask.ofCallingThread().pus == [last])
    }

    @Test func restoresAfterAnError() throws {
        struct Failure: Error {}
        let first = try #require(pus.first)
        #expect(throws: Failure.self) {
            try pinning.withPinned(to: first) { _ in throw Failure() }
        }
        #expect(try AffinityMask.ofCallingThread().pus == pus)
    }

    @Test(arguments: [-1, 8000, 8192, Int.max])
    func notesAPUThatDoesNotExist(_ pu: Int) throws {
        try pinning.withPinned(to: pu) { outcome throws in
            #expect(!outcome.isPinned)
            #expect(!outcome.isMemoryBound)
            #expect(outcome.notes.count == 2)
            #expect(try AffinityMask.ofCallingThread().pus == pus)
        }
        #expect(try AffinityMask.ofCallingThread().pus == pus)
    }

    @Test func bindsMemoryToTheNodeAndRestoresThePolicy() throws {
        let pu = try #require(pus.first)
        let before = memoryPolicy()
        pinning.withPinned(to: pu) { outcome in
            if outcome.isMemoryBound, let policy = memoryPolicy() {
                #expect(policy.hasPrefix("prefer"))
            } else if !outcome.isMemoryBound {
                #expect(outcome.notes.contains { $0.hasPrefix("memory not bound") })
            }
        }
        #expect(memoryPolicy() == before)
    }

    @Test func keepsAMemoryPolicyThatIsThereAlready() throws {
        let pu = try #require(pus.first)
        pinning.withPinned(to: pu) { outer in
            guard outer.isMemoryBound else { return }
            let within = memoryPolicy()
            pinning.withPinned(to: pu) { inner in
                #expect(!inner.isMemoryBound)
                #expect(inner.notes.count == 1)
            }
            #expect(memoryPolicy() == within)
        }
    }

    @Test func returnsWhatCannotBeCopied() throws {
        struct Token: ~Copyable { let number: Int }
        let token = pinning.withPinned(to: try #require(pus.first)) { _ in Token(number: 7) }
        #expect(token.number == 7)
    }

    /// The calling thread's policy as the kernel tells it, such as `default` or `prefer:0`; nil on a kernel without NUMA.
    private func memoryPolicy() -> String? {
        let line = contents(of: "/proc/thread-self/numa_maps").prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? String(words[1]) : nil
    }
}
