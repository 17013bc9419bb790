import MiningWork
import Testing

@Suite struct SecretTextTests {
    @Test func showsTheEndsOfALongSecret() {
        let wallet = "abLoc5" + String(repeating: "x", count: 89) + "jXwE"
        #expect(SecretText.masked(wallet) == "abLoc5…jXwE")
    }

    @Test(arguments: [1, 8, 31]) func showsNothingOfAShortSecret(count: Int) {
        #expect(SecretText.masked(String(repeating: "s", count: count)) == "(hidden)")
    }

    @Test func saysWhereThereIsNone() { #expect(SecretText.masked("") == "(none)") }

    @Test func stripsControlCharacters() {
        let secret = "\u{1B}[31m" + String(repeating: "x", count: 90) + "ab\u{7}c"
        #expect(SecretText.masked(secret) == "x…abc")
    }
}
