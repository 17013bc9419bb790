import MiningWork
import Testing

@Suite struct NearestNamesTests {
    let names = ["cn/0", "cn/1", "cn/r", "cn-heavy/0", "cn-heavy/xhv", "cn-pico"]

    @Test func putsTheNearestFirst() {
        #expect(NearestNames.of("cn-heavy/xvh", among: names, limit: 1) == ["cn-heavy/xhv"])
        #expect(NearestNames.of("cn-heavyxhv", among: names).first == "cn-heavy/xhv")
        #expect(NearestNames.of("cnpico", among: names).first == "cn-pico")
    }

    @Test func ordersEquallyNearNamesByAlphabet() {
        #expect(NearestNames.of("cn/x", among: names) == ["cn/0", "cn/1", "cn/r"])
        #expect(NearestNames.of("cn/x", among: names.reversed()) == ["cn/0", "cn/1", "cn/r"])
    }

    @Test func findsAnExactName() { #expect(NearestNames.of("cn-pico", among: names).first == "cn-pico") }

    @Test func keepsToTheLimit() {
        #expect(NearestNames.of("cn/x", among: names, limit: 2).count == 2)
        #expect(NearestNames.of("cn/x", among: names, limit: 0).isEmpty)
    }

    @Test func suggestsNothingFarFetched() {
        #expect(NearestNames.of("ethash", among: names).isEmpty)
        #expect(NearestNames.of("cn/0", among: []).isEmpty)
        #expect(NearestNames.of("", among: ["abc"]).isEmpty)
    }

    @Test func alwaysSuggestsSomethingWhereAsked() {
        #expect(NearestNames.always("cn/x", among: names) == NearestNames.of("cn/x", among: names))
        #expect(NearestNames.always("heavy", among: names) == ["cn-heavy/0", "cn-heavy/xhv", "cn/0"])
        #expect(NearestNames.always("cn-homegrown", among: names).first == "cn-heavy/0")
        #expect(NearestNames.always("turtle", among: names).count == 3)
        #expect(NearestNames.always("", among: names).count == 3)
        #expect(NearestNames.always("x", among: []).isEmpty)
    }

    @Test func standsAHugeWord() {
        #expect(NearestNames.of(String(repeating: "cn/r", count: 100_000), among: names).isEmpty)
    }
}
