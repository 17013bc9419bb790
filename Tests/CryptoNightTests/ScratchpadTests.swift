import CryptoNight
import MiningTestKit
import Testing

@Suite struct ScratchpadTests {
    @Test func liesOnOrdinaryPagesWhenHugeOnesAreOff() throws {
        let pads = try Scratchpads(count: 3, bytesEach: 1 << 20, policy: .off)
        let isTouched = pads.touch()
        #expect(isTouched)
        let backing = pads.backing
        #expect(backing == PageBacking(kind: .ordinary, totalPages: 2, hugePages: 0))
    }

    @Test func saysHowManyHugePagesItGot() throws {
        let pads = try Scratchpads(count: 4, bytesEach: 4 << 20, policy: .prefer)
        let isTouched = pads.touch()
        #expect(isTouched)
        let backing = pads.backing
        #expect(backing.totalPages == 8)
        #expect((0...8).contains(backing.hugePages))
        #expect(backing.kind == .huge ? backing.hugePages == 8 && backing.reason == nil : backing.reason != nil)
    }

    @Test func namesTheCommandWhenRequiredHugePagesAreMissing() throws {
        let reserve = HugePageReserve.current
        let missing = reserve.available + 8
        #expect(
            throws: ScratchpadError.noHugePages(
                needed: missing,
                available: reserve.available,
                command: "sudo sysctl -w vm.nr_hugepages=\(reserve.total + 8)"
            )
        ) { _ = try Scratchpads(count: missing, bytesEach: 2 << 20, policy: .require) }
    }

    @Test func refusesMoreThanThereIs() {
        #expect(throws: ScratchpadError.self) {
            _ = try Scratchpads(count: 1 << 40, bytesEach: 4 << 20, policy: .prefer)
        }
        #expect(throws: ScratchpadError.self) {
            _ = try Scratchpads(count: 1 << 24, bytesEach: 4 << 20, policy: .prefer)
        }
    }

    @Test func givesItsMemoryBack() throws {
        // 32 GiB in all: more than a small machine has, if any of it stayed.
        for _ in 0..<256 {
            let pads = try Scratchpads(count: 32, bytesEach: 4 << 20, policy: .off)
            let isTouched = pads.touch()
            #expect(isTouched)
        }
    }
}
