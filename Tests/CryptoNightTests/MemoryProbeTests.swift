import CHashKernels
import MiningWork
import Testing

@testable import CryptoNight

@Suite struct MemoryProbeTests {
    private func withLines<Value>(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) throws -> Value) rethrows -> Value
    {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 64, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count * 64)
        defer { memory.deallocate() }
        return try body(memory.assumingMemoryBound(to: UInt8.self))
    }

    private let never = chk_watch(word: nil, expected: 0)

    @Test(arguments: [1, 2, 3, 64, 1000], [1, 77] as [UInt64])
    func linksAllLinesIntoOneCycle(lines: Int, seed: UInt64) {
        withLines(lines) { memory in
            #expect(chk_chase_link(memory, lines * 64, seed, never) == CHK_OK)
            var place: UInt64 = 0
            var visited: Set<UInt64> = []
            for _ in 0..<lines {
                #expect(chk_chase_follow(memory, 1, never, &place) == CHK_OK)
                visited.insert(place)
            }
            #expect(visited.count == lines && place == 0)
        }
    }

    @Test func refusesMemoryThatIsNotMadeOfLines() {
        withLines(4) { memory in
            #expect(chk_chase_link(memory + 8, 64, 1, never) == CHK_BAD_ARGUMENT)
            #expect(chk_chase_link(memory, 65, 1, never) == CHK_BAD_ARGUMENT)
            #expect(chk_chase_link(memory, 0, 1, never) == CHK_BAD_ARGUMENT)
            #expect(chk_chase_link(nil, 64, 1, never) == CHK_BAD_ARGUMENT)
        }
    }

    @Test(arguments: UpdateForm.all, [0, 1, 7, 8, 1000, 20_000] as [UInt64])
    func updatesAsOftenAsItSays(form: UpdateForm, count: UInt64) {
        withLines(3 * 16) { memory in
            let pads: [UnsafeMutablePointer<UInt8>?] = [memory, memory + 1024, memory + 2048]
            pads.withUnsafeBufferPointer { pads in
                let shape = form.shape == .stream ? CHK_UPDATE_STREAM : CHK_UPDATE_LOCK_STEP
                var updates = chk_updates(
                    shape: shape,
                    depth: form.depth,
                    pads: pads.baseAddress,
                    lanes: 3,
                    pad_bytes: 1024,
                    watch: never
                )
                var seed: UInt64 = 5
                #expect(chk_update(&updates, count, &seed) == CHK_OK)
                #expect(chk_update_sum(&updates) == count)
                #expect(seed != 5)
            }
            if count == 20_000 {
                let counts = (0..<3 * 16).map {
                    UnsafeRawPointer(memory).load(fromByteOffset: $0 * 64, as: UInt64.self)
                }
                // Every line is visited, none far more often than its share of 417.
                #expect(counts.allSatisfy { 250...650 ~= $0 })
            }
        }
    }

    @Test func refusesUpdatesThatCannotBe() {
        withLines(16) { memory in
            let pads: [UnsafeMutablePointer<UInt8>?] = [memory]
            pads.withUnsafeBufferPointer { pads in
                var seed: UInt64 = 0
                let sound = chk_updates(
                    shape: CHK_UPDATE_LOCK_STEP,
                    depth: 4,
                    pads: pads.baseAddress,
                    lanes: 1,
                    pad_bytes: 1024,
                    watch: never
                )
                let spoil: [(inout chk_updates) -> Void] = [
                    { $0.depth = 0 }, { $0.depth = 65 }, { $0.lanes = 0 }, { $0.lanes = 65 }, { $0.pads = nil },
                    { $0.pad_bytes = 1000 }, { $0.pad_bytes = 32 }, { $0.shape = CHK_UPDATE_SHAPES },
                ]
                for change in spoil {
                    var updates = sound
                    change(&updates)
                    #expect(chk_update(&updates, 8, &seed) == CHK_BAD_ARGUMENT)
                }
            }
        }
    }

    @Test func givesUpWhenItsSignalHasAdvanced() throws {
        let signal = WorkSignal()
        let watch = WorkWatch(signal, count: signal.count)
        signal.advance()
        var probe = try MemoryProbe(pads: 1, bytesEach: 1 << 18, policy: .off)
        let reading = probe.update(UpdateForm.all[1], bytes: 1 << 18, lasting: .seconds(60), watching: watch)
        #expect(reading == nil)
        let isLinked = probe.link(bytes: 1 << 18, watching: watch)
        #expect(!isLinked)
        let isLinkedNow = probe.link(bytes: 1 << 18)
        #expect(isLinkedNow)
        let walk = probe.follow(bytes: 1 << 18, lasting: .seconds(60), watching: watch)
        #expect(walk == nil)
    }

    @Test func provesWhatItDid() throws {
        var probe = try MemoryProbe(pads: 2, bytesEach: 1 << 16, policy: .off)
        let isLinked = probe.link(bytes: 1 << 17)
        #expect(isLinked)
        let walk = probe.follow(bytes: 1 << 17, lasting: .milliseconds(1))
        #expect(walk?.isVerified == true && walk?.operations ?? 0 > 0 && walk?.seconds ?? 0 > 0)
        let reading = probe.update(UpdateForm.all[3], bytes: 1 << 16, lasting: .milliseconds(1))
        #expect(reading?.isVerified == true && reading?.operations ?? 0 > 0)
    }

    @Test func seesThatAWalkWentAstray() throws {
        let probe = try MemoryProbe(pads: 1, bytesEach: 1 << 16, policy: .off)
        let isLinked = probe.link(bytes: 1 << 16)
        #expect(isLinked)
        // The cycle has more lines than it is said to have.
        let walk = probe.follow(bytes: 3 << 14, lasting: .milliseconds(1))
        #expect(walk?.isVerified == false)
    }
}

@Suite struct HashDemandTests {
    @Test func readsTheDemandOffTheVariant() throws {
        let heavy = try #require(HashVariant(named: "cn-heavy/xhv")).demand
        #expect(heavy.lineAccesses == 3 && heavy.walkedBytes == 4 << 20 && heavy.division == .division)
        #expect(heavy.aesRounds == 1 && heavy.sweepRounds == 3 * 10 * (4 << 20) / 16)
        let tube = try #require(HashVariant(named: "cn-heavy/tube")).demand
        #expect(tube.aesRounds == 4)
        let pico = try #require(HashVariant(named: "cn-pico")).demand
        #expect(pico.walkedBytes == 128 << 10 && pico.lineAccesses == 2 && pico.division == .divisionAndRoot)
        #expect(try #require(HashVariant(named: "cn/0")).demand.division == nil)
        #expect(try #require(HashVariant(named: "cn/r")).demand.division == nil)
    }

    @Test(arguments: HashVariant.all)
    func walksAPowerOfTwoWithinTheScratchpad(variant: HashVariant) {
        let bytes = variant.demand.walkedBytes
        #expect(bytes == variant.memoryBytes && bytes & (bytes - 1) == 0)
    }

    @Test(arguments: ArithmeticKind.allCases)
    func computesTheSameInEveryNumberOfChains(kind: ArithmeticKind) throws {
        guard let alone = kind.results(chains: 1, count: 100) else {
            #expect(kind == .aesInstruction)
            return
        }
        let together = try #require(kind.results(chains: ArithmeticCost.chains, count: 100))
        #expect(together[0] == alone[0])
        #expect(Set(together).count == ArithmeticCost.chains)
        #expect(kind.results(chains: 1, count: 101) != alone)
        let cost = try #require(ArithmeticCost.measured(kind))
        #expect(cost.latency > 0 && cost.throughput > 0)
    }

    @Test func roundsByTableAreThoseOfTheInstruction() {
        guard let instruction = ArithmeticKind.aesInstruction.results(chains: 8, count: 50) else { return }
        #expect(ArithmeticKind.aesTable.results(chains: 8, count: 50) == instruction)
    }

    @Test(arguments: HashVariant.all)
    func sweepsAlikeOnEveryPath(variant: HashVariant) throws {
        let sweeps = variant.withoutMainLoop
        let input = (0..<76).map { UInt8($0) }
        var digests: Set<[UInt8]> = []
        for path in InstructionSet.supported {
            var workspace = try HashWorkspace(HashKernel(variant: sweeps, path: path, lanes: 2))
            let pair = try #require(try workspace.hash([input, input], height: 0))
            #expect(pair[0] == pair[1])
            digests.insert(pair[0].bytes)
        }
        #expect(digests.count == 1)
    }

    @Test func knowsEveryDigestFunction() {
        #expect(DigestFunction.all.map(\.name) == ["keccak256", "blake256", "groestl256", "jh256", "skein256"])
        #expect(DigestFunction.all[0].digest(of: [1, 2, 3]) == Keccak256.digest(of: [1, 2, 3]).bytes)
        #expect(Set(DigestFunction.all.map { $0.digest(of: [1]) }).count == DigestFunction.all.count)
    }
}
