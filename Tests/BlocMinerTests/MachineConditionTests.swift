import CryptoNight
import MachineTopology
import Testing

@testable import BlocMiner

@Suite struct MachineConditionTests {
    private let full = PageBacking(kind: .huge, totalPages: 4, hugePages: 4)

    @Test func findsNothingAmissOnAQuietMachine() {
        #expect(MachineCondition(foreignCPUs: 0.05, stolenCPUs: 0.01, pages: full).warnings == [])
    }

    @Test func saysOfEachFaultWhatToDo() {
        let condition = MachineCondition(
            foreignCPUs: 1.26,
            stolenCPUs: 0.06,
            pages: PageBacking(kind: .transparent, totalPages: 4, hugePages: 1),
            pagesCommand: "sudo sysctl -w vm.nr_hugepages=4",
            governors: ["powersave", "ondemand"],
            isDebugBuild: true,
            siblings: 2
        )
        let expected = [
            ("1.3 CPUs busy", "end them"), ("0.1 CPUs' time", "later"), ("3 of 4 pages", "vm.nr_hugepages=4"),
            ("'ondemand', 'powersave'", "cpupower"), ("debug build", "-c release"),
            ("2 of the threads share", "--threads"),
        ]
        #expect(condition.warnings.count == expected.count)
        for (warning, (fault, advice)) in zip(condition.warnings, expected) {
            #expect(warning.contains(fault) && warning.contains(advice))
        }
    }

    @Test func takesTheWorseOfTwo() {
        let short = PageBacking(kind: .ordinary, totalPages: 4, hugePages: 0)
        let one = MachineCondition(foreignCPUs: 0.5, pages: full, governors: ["powersave"])
        let other = MachineCondition(foreignCPUs: 0.2, stolenCPUs: 1, pages: short, pagesCommand: "c", siblings: 1)
        let expected = MachineCondition(
            foreignCPUs: 0.5,
            stolenCPUs: 1,
            pages: short,
            pagesCommand: "c",
            governors: ["powersave"],
            siblings: 1
        )
        #expect(one.worse(with: other) == expected && other.worse(with: one) == expected)
    }

    @Test func readsTheUsageOfAllCPUs() throws {
        let text = "cpu  100 20 30 4000 50 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
        let usage = try #require(CPUUsage(stat: text, ticksPerSecond: 100))
        #expect(abs(usage.busy - 1.63) < 1e-9 && abs(usage.stolen - 0.8) < 1e-9)
    }

    @Test(arguments: ["", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu a 2 3 4 5 6 7 8", "intr 5"])
    func readsNoUsageFromOtherText(text: String) {
        #expect(CPUUsage(stat: text, ticksPerSecond: 100) == nil)
    }

    @Test func knowsTheUsageOfThisMachine() throws {
        let usage = try #require(CPUUsage.current)
        #expect(usage.busy > 0)
    }

    @Test func countsWhatOthersUsed() throws {
        let start = try #require(CPUUsage(stat: "cpu  100 0 0 0 0 0 0 0", ticksPerSecond: 100))
        let end = try #require(CPUUsage(stat: "cpu  500 0 0 0 0 0 0 20", ticksPerSecond: 100))
        let load = ForeignLoad(from: start, to: end, own: 3, seconds: 2)
        #expect(abs(load.busyCPUs - 0.5) < 1e-9 && abs(load.stolenCPUs - 0.1) < 1e-9)
        #expect(ForeignLoad(from: start, to: end, own: 9, seconds: 2).busyCPUs == 0)
    }

    @Test func readsTheGovernor() {
        #expect(FrequencyGovernor.name(in: "powersave\n") == "powersave")
        #expect(FrequencyGovernor.name(in: "\n") == nil)
        #expect(FrequencyGovernor.others(on: [1 << 20]) == [])
    }
}
