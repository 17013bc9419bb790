import Testing

@testable import CryptoNight

@Suite struct AvailableMemoryTests {
    @Test func readsWhatTheMachineHas() {
        let text = "MemTotal:       24576000 kB\nMemFree:  1 kB\nMemAvailable:   2048 kB\n"
        #expect(AvailableMemory.availableBytes(inMeminfo: text) == 2 << 20)
        #expect(AvailableMemory.availableBytes(inMeminfo: "MemTotal: 5 kB") == nil)
        #expect(AvailableMemory.availableBytes(inMeminfo: "MemAvailable: x kB") == nil)
        #expect(AvailableMemory.availableBytes(inMeminfo: "MemAvailable: 9223372036854775807 kB") == nil)
    }

    @Test func findsTheUnifiedGroup() {
        #expect(AvailableMemory.unifiedGroup(in: "1:cpu:/x\n0::/user.slice/a.scope\n") == "/user.slice/a.scope")
        #expect(AvailableMemory.unifiedGroup(in: "0::/\n") == "")
        #expect(AvailableMemory.unifiedGroup(in: "1:memory:/x\n") == nil)
    }

    @Test func findsSomeMemoryHere() { #expect(AvailableMemory.bytes > 1 << 20) }
}
