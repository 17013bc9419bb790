import MiningWork
import Testing

@Suite struct AlgorithmCatalogTests {
    let catalog = AlgorithmCatalog([
        Algorithm(name: "cn/0", aliases: ["cn", "cryptonight"]),
        Algorithm(name: "cn/r", aliases: ["cryptonight_r"], needsHeight: true, minimumBlobBytes: 43),
        Algorithm(name: "cn-heavy/xhv", aliases: ["cryptonight_haven", "bloc"]),
        Algorithm(name: "cn-heavy/0", aliases: ["cn-heavy", "cn/0"]),
    ])

    @Test(arguments: ["cn-heavy/xhv", "CN-Heavy/XHV", "bloc", "BLOC", "Cryptonight_Haven"])
    func findsByNameOrAliasInAnyCase(name: String) {
        #expect(catalog.algorithm(named: name)?.name == "cn-heavy/xhv")
    }

    @Test(arguments: ["", "cn-heavy/", "cn-heavy/xhv ", "cn/9", "bloс"]) func knowsNothingElse(name: String) {
        #expect(catalog.algorithm(named: name) == nil)
    }

    @Test func leavesANameToItsFirstOwner() {
        #expect(catalog.algorithm(named: "cn/0")?.name == "cn/0")
        #expect(catalog.algorithm(named: "cn-heavy")?.name == "cn-heavy/0")
    }

    @Test func keepsPropertiesAndOrder() {
        #expect(catalog.algorithms.map(\.name) == ["cn/0", "cn/r", "cn-heavy/xhv", "cn-heavy/0"])
        #expect(catalog.algorithm(named: "cn/r")?.needsHeight == true)
        #expect(catalog.algorithm(named: "cn/r")?.minimumBlobBytes == 43)
    }

    @Test func takesASliceOfText() {
        #expect(catalog.algorithm(named: "algo=bloc".dropFirst(5))?.name == "cn-heavy/xhv")
    }

    @Test func suggestsTheNearestNamesFirst() {
        #expect(catalog.names(near: "CN-HEAVY/XHW").first == "cn-heavy/xhv")
        #expect(catalog.names(near: "bloK").first == "bloc")
        #expect(catalog.names(near: "cn/1", limit: 2) == ["cn/0", "cn/r"])
        #expect(catalog.names(near: "randomx-something-else").count == 3)
        #expect(catalog.names(near: "haven").first == "cryptonight_haven")
    }

    @Test func comparesAlgorithmsByName() {
        let (plain, aliased) = (Algorithm(name: "cn/r"), Algorithm(name: "cn/r", aliases: ["r"], needsHeight: true))
        #expect(plain == aliased)
        #expect(Set([plain, aliased]).count == 1)
        #expect(plain != Algorithm(name: "cn/0"))
    }
}
