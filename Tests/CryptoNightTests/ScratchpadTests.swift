import CryptoNight
import Glibc
import MiningTestKit
import Testing

@Suite struct ScratchpadTests {
    @Test func liesOnOrdinaryPagesWhenHugeOnesAreOff() throws {
        let pads = try Scratchpads(count: 3, bytesEach: 1 << 20, policy: .off)
        let isTouched = pads.touch()
        #expect(isTouched)
        let backing = pads.backing()
        #expect(backing == PageBacking(kind: .ordinary, totalPages: 2, hugePages: 0))
    }

    @Test func saysHowManyHugePagesItGot() throws {
        let pads = try Scratchpads(count: 4, bytesEach: 4 << 20, policy: .prefer)
        let isTouched = pads.touch()
        #expect(isTouched)
        let backing = pads.backing()
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

    @Test func givesItsMemoryBack() async {
        await #expect(processExitsWith: .success) {
            // 16 GiB of addresses, and 64 GiB of scratchpads one after the other.
            var limit = rlimit(rlim_cur: 16 << 30, rlim_max: 16 << 30)
            guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(2) }
            for _ in 0..<512 {
                let pads = try Scratchpads(count: 32, bytesEach: 4 << 20, policy: .off)
                guard pads.count == 32 else { exit(3) }
            }
        }
    }
}
