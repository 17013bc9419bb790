import BlocChain
import MiningWork
import Testing

@Suite struct AlgorithmChoiceTests {
    let catalog = AlgorithmCatalog([
        Algorithm(name: "cn/2"),
        Algorithm(name: "cn-pico", aliases: ["cn-trtl"]),
        Algorithm(name: "cn-heavy/xhv", aliases: ["cryptonight_haven", "bloc"]),
    ])
    let address: String

    init() throws { address = try #require(try TestAddress.accepted().first) }

    @Test func leavesThePoolToDecideWhereNothingIsSaid() throws {
        let choice = try choose(user: "user.worker")
        #expect(choice.algorithm == nil)
        #expect(choice.coin == nil)
    }

    @Test func takesTheCoinsAlgorithm() throws {
        let choice = try choose(coin: "BLOC", user: "user")
        #expect(choice.algorithm?.name == "cn-heavy/xhv")
        #expect(choice.coin == .bloc)
    }

    @Test(arguments: ["", "solo:", "prop:"]) func takesTheCoinFromTheAddress(scheme: String) throws {
        let choice = try choose(user: scheme + address + ".5000")
        #expect(choice.algorithm?.name == "cn-heavy/xhv")
        #expect(choice.coin == .bloc)
    }

    @Test func takesAnExplicitAlgorithmAlone() throws {
        let choice = try choose(algorithm: "CN-TRTL", user: "user")
        #expect(choice.algorithm?.name == "cn-pico")
        #expect(choice.coin == nil)
    }

    @Test func letsAnExplicitAlgorithmWinOverAnImpliedCoin() throws {
        let choice = try choose(algorithm: "cn/2", user: address)
        #expect(choice.algorithm?.name == "cn/2")
        #expect(choice.coin == .bloc)
    }

    @Test(arguments: ["cn-heavy/xhv", "cryptonight_haven", "bloc"])
    func acceptsAnAlgorithmThatAgreesWithTheCoin(algorithm: String) throws {
        #expect(try choose(algorithm: algorithm, coin: "bloc", user: address).algorithm?.name == "cn-heavy/xhv")
    }

    @Test func rejectsAnAlgorithmThatContradictsTheCoin() {
        #expect(
            throws: AlgorithmChoiceError.contradiction(
                algorithm: "cn-pico",
                coin: "bloc",
                coinAlgorithm: "cn-heavy/xhv"
            )
        ) { try choose(algorithm: "cn-trtl", coin: "bloc", user: "user") }
    }

    @Test(arguments: [nil, "bloc"], [nil, "bloc"]) func rejectsADamagedAddress(algorithm: String?, coin: String?) {
        #expect(throws: AlgorithmChoiceError.address(.length(characters: 98))) {
            try choose(algorithm: algorithm, coin: coin, user: String(address.dropLast()))
        }
    }

    @Test(arguments: ["none", "NONE"]) func turnsEveryCoinRuleOff(coin: String) throws {
        for user in [address, String(address.dropLast()), "abLoc"] {
            let silent = try choose(coin: coin, user: user)
            #expect(silent.algorithm == nil)
            #expect(silent.coin == nil)
            #expect(try choose(algorithm: "cn/2", coin: coin, user: user).algorithm?.name == "cn/2")
        }
    }

    @Test(arguments: [nil, "bloc", "none"]) func rejectsAnUnknownAlgorithm(coin: String?) {
        #expect(throws: AlgorithmChoiceError.unknownAlgorithm("cn-pixo", nearest: ["cn-pico"])) {
            try choose(algorithm: "cn-pixo", coin: coin, user: "user")
        }
    }

    @Test func rejectsAnUnknownCoin() {
        #expect(throws: AlgorithmChoiceError.coin(.unknown("blok", nearest: ["bloc"]))) {
            try choose(coin: "blok", user: "user")
        }
    }

    @Test func rejectsACoinThatThisBuildCannotHash() {
        #expect(throws: AlgorithmChoiceError.unknownAlgorithm("bloc", nearest: [])) {
            try AlgorithmChoice(coinName: "bloc", userString: "user", catalog: AlgorithmCatalog([]))
        }
    }

    @Test func saysWhatIsWrongAndWhatToDo() {
        let unknown = AlgorithmChoiceError.unknownAlgorithm("cn/3\u{7}", nearest: ["cn/0", "cn/1", "cn/2"])
        #expect(unknown.description == "there is no algorithm named \"cn/3\" (did you mean cn/0, cn/1 or cn/2?)")
        let contradiction = AlgorithmChoiceError.contradiction(
            algorithm: "cn/2",
            coin: "bloc",
            coinAlgorithm: "cn-heavy/xhv"
        )
        #expect(contradiction.description.contains("cn/2 contradicts the coin bloc"))
        #expect(contradiction.description.contains("cn-heavy/xhv"))
        let damaged = AlgorithmChoiceError.address(.character("O", position: 17)).description
        #expect(damaged.contains("character 17 'O'"))
        #expect(damaged.contains("\"none\""))
        #expect(AlgorithmChoiceError.coin(.unknown("x", nearest: [])).description.contains("no coin named \"x\""))
    }

    private func choose(
        algorithm: String? = nil,
        coin: String? = nil,
        user: String
    ) throws(AlgorithmChoiceError) -> AlgorithmChoice {
        try AlgorithmChoice(algorithmName: algorithm, coinName: coin, userString: user, catalog: catalog)
    }
}
