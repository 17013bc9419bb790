import MiningWork
import Testing

@testable import Stratum

@Suite struct LoginSecretsTests {
    private static let wallet = "abLoc5" + String(repeating: "q", count: 88) + "wxyz"
    private static let secrets = LoginSecrets(user: "\(wallet)+5000.rig", password: "pa.ss")

    @Test(arguments: [
        ("Invalid address \(wallet)", "Invalid address abLoc5…wxyz"),
        ("user \(wallet)+5000.rig pass pa.ss", "user abLoc5….rig pass (hidden)"),
        ("\u{1B}[31m\(wallet.prefix(20))\u{1B}[0m\(wallet.dropFirst(20))", "abLoc5…wxyz"),
        ("rig and 5000 are no secrets", "rig and 5000 are no secrets"),
    ])
    func areMaskedInAPoolsWords(said: String, shown: String) {
        #expect(Self.secrets.printable(said) == shown)
    }

    @Test func areMaskedBeforeACut() {
        let said = String(repeating: "x", count: 30) + Self.wallet
        #expect(Self.secrets.printable(said, limit: 34) == String(repeating: "x", count: 30) + "abLo…")
    }

    @Test func leaveOrdinaryWordsAlone() {
        #expect(LoginSecrets(user: "me", password: "x").printable("an example of me") == "an example of me")
        #expect(LoginSecrets(user: "", password: "").printable("text") == "text")
    }
}
