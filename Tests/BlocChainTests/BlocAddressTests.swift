import BlocChain
import MiningTestKit
import Testing

@Suite struct BlocAddressTests {
    let address: String

    init() throws { address = try #require(try TestAddress.accepted().first) }

    @Test func acceptsWhatADaemonAccepts() throws {
        let addresses = try TestAddress.accepted()
        #expect(addresses.count == 6)
        for address in addresses { #expect(try BlocAddress(address).text == address) }
    }

    @Test(arguments: ["", ".5000", "+5000", "+0123456789abcdef", ".rig1", "%10%other", ":x", " x", "/rig", "_rig"])
    func leavesWhatFollowsToThePool(rest: String) throws {
        for scheme in ["", "solo:", "prop:", "SOLO:"] {
            let userString = scheme + address + rest
            #expect(BlocAddress.find(in: userString).map(String.init) == address)
            #expect(try BlocAddress.check(userString)?.text == address)
        }
    }

    @Test(arguments: [
        "", "x", "user.worker", "abloc", "ABLOC", "xabLoc", " abLoc", "solo:", "solo:user", "pplns:abLoc",
    ])
    func passesWhatIsNotAboutBloc(userString: String) throws {
        #expect(BlocAddress.find(in: userString) == nil)
        #expect(try BlocAddress.check(userString) == nil)
    }

    @Test func passesAnotherCoinsAddress() throws {
        #expect(try BlocAddress.check("4" + String(repeating: "A", count: 94)) == nil)
    }

    @Test(arguments: ["0", "O", "I", "l", "é", "о", "\u{200B}", "\u{301}"] as [Unicode.Scalar])
    func namesAWrongCharacterAndItsPosition(scalar: Unicode.Scalar) {
        for position in [6, 17, 99] {
            let damaged = replacing(position, with: scalar)
            #expect(throws: AddressError.character(scalar, position: position)) { try BlocAddress.check(damaged) }
            #expect(throws: AddressError.character(scalar, position: position)) {
                try BlocAddress.check("solo:\(damaged).5000")
            }
        }
    }

    @Test func rejectsAShortAddress() {
        for count in [5, 6, 11, 50, 98] {
            for rest in ["", ".5000", "+x"] {
                #expect(throws: AddressError.length(characters: count)) {
                    try BlocAddress.check(address.prefix(count) + rest)
                }
            }
        }
    }

    @Test func rejectsALongAddress() {
        for (rest, count) in [("1", 100), ("rig1", 103), ("O", 100), ("é", 100)] {
            #expect(throws: AddressError.length(characters: count)) { try BlocAddress.check(address + rest + ".5000") }
        }
    }

    @Test func endsAtASeparatorInsideTheAddress() {
        #expect(throws: AddressError.length(characters: 40)) {
            try BlocAddress.check(address.prefix(40) + "." + address.dropFirst(41))
        }
    }

    @Test func rejectsABlockBeyond64Bits() {
        for block in 1..<9 {
            let start = block * 11
            let damaged =
                address.prefix(start) + String(repeating: "z", count: 11) + address.dropFirst(start + 11)
            #expect(throws: AddressError.block(positions: start + 1...start + 11)) {
                try BlocAddress.check(String(damaged))
            }
        }
    }

    /// 2^64 - 1 is "jpXCZedGfVQ"; one more doesn't fit.
    @Test func takesTheLargestBlockAndNotOneMore() {
        #expect(throws: AddressError.checksum) { try BlocAddress.check(replacingSecondBlock(with: "jpXCZedGfVQ")) }
        #expect(throws: AddressError.block(positions: 12...22)) {
            try BlocAddress.check(replacingSecondBlock(with: "jpXCZedGfVR"))
        }
    }

    @Test func rejectsAnotherNetwork() throws {
        let own = TestAddress.made(prefix: [0xC8, 0xD5, 0x81, 0x77])
        #expect(try BlocAddress.check(own)?.text == own)
        let neighbour = TestAddress.made(prefix: [0xC8, 0xD5, 0x81, 0x78])
        #expect(neighbour.hasPrefix("abLoc"))
        #expect(throws: AddressError.network) { try BlocAddress.check(neighbour) }
    }

    @Test func saysWhatIsWrong() {
        #expect(
            AddressError.character("O", position: 17).description == "character 17 'O' is not in the base58 alphabet"
        )
        #expect(AddressError.character("\u{200B}", position: 6).description.contains("character 6 U+200B is not"))
        #expect(AddressError.character("\u{7}", position: 6).description.contains("U+0007"))
        #expect(AddressError.length(characters: 98).description == "the address has 98 characters, expected 99")
        #expect(AddressError.block(positions: 12...22).description.contains("characters 12 to 22"))
        #expect(AddressError.checksum.description.contains("mistyped"))
        #expect(AddressError.network.description.contains("249588424"))
    }

    private func replacing(_ position: Int, with scalar: Unicode.Scalar) -> String {
        var scalars = Array(address.unicodeScalars)
        scalars[position - 1] = scalar
        return String(String.UnicodeScalarView(scalars))
    }

    private func replacingSecondBlock(with digits: String) -> String {
        String(address.prefix(11) + digits + address.dropFirst(22))
    }
}
