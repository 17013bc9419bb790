import BlocChain
import Testing

@Suite struct CoinTests {
    @Test(arguments: ["bloc", "BLOC", "Bloc"]) func findsBlocInAnyCase(name: String) throws {
        #expect(try Coin(named: name) == .bloc)
    }

    @Test func findsNone() throws { #expect(try Coin(named: "None") == .unspecified) }

    @Test func knowsTheRulesOfBloc() {
        #expect(Coin.bloc.addressPrefix == "abLoc")
        #expect(Coin.bloc.algorithmName == "bloc")
        #expect(Coin.bloc.unitsPerCoin == 10_000)
        #expect(Coin.bloc.decimalPlaces == 4)
        #expect(Coin.bloc.blockTarget == .seconds(120))
    }

    @Test func hasNoRulesForNone() {
        #expect(Coin.unspecified.addressPrefix == nil)
        #expect(Coin.unspecified.algorithmName == nil)
        #expect(Coin.unspecified.blockTarget == nil)
        #expect(Coin.unspecified.unitsPerCoin == 1)
    }

    @Test func countsAsManyUnitsAsItShowsPlaces() {
        for coin in Coin.all {
            #expect((0..<coin.decimalPlaces).reduce(UInt64(1)) { units, _ in units * 10 } == coin.unitsPerCoin)
        }
    }

    @Test func namesEachCoinOnceInLowerCase() {
        #expect(Set(Coin.all.map(\.name)).count == Coin.all.count)
        #expect(Coin.all.allSatisfy { $0.name == $0.name.lowercased() })
    }

    @Test(arguments: ["blok", "blco", "BLOCK"]) func suggestsTheNearestCoin(name: String) {
        #expect(throws: CoinError.unknown(name, nearest: ["bloc"])) { try Coin(named: name) }
    }

    @Test func saysWhatIsWrong() {
        #expect(
            CoinError.unknown("blok\u{1B}", nearest: ["bloc"]).description
                == "there is no coin named \"blok\" (did you mean bloc?); known are bloc, none"
        )
        #expect(
            CoinError.unknown("xmr", nearest: []).description == "there is no coin named \"xmr\"; known are bloc, none"
        )
    }
}
