import BlocChain
import MiningTestKit
import Testing

@Suite struct BlocAddressMutationTests {
    @Test func rejectsAnyMistypedCharacter() throws {
        var random = SeededGenerator(seed: 0xB10C)
        for address in try TestAddress.accepted() {
            for _ in 0..<300 {
                var characters = Array(address)
                let index = Int.random(in: characters.indices, using: &random)
                characters[index] = try #require(
                    TestAddress.alphabet.filter { $0 != characters[index] }.randomElement(using: &random)
                )
                #expect(throws: AddressError.self, "\(address), character \(index + 1)") {
                    try BlocAddress(String(characters))
                }
            }
        }
    }

    @Test func rejectsSwappedNeighbours() throws {
        for address in try TestAddress.accepted() {
            for index in 0..<98 {
                var characters = Array(address)
                characters.swapAt(index, index + 1)
                guard String(characters) != address else { continue }
                #expect(throws: AddressError.self, "\(address), characters \(index + 1) and \(index + 2)") {
                    try BlocAddress(String(characters))
                }
            }
        }
    }

    @Test func rejectsALostOrDoubledCharacter() throws {
        for address in try TestAddress.accepted() {
            for index in 0..<99 {
                var lost = Array(address)
                let character = lost.remove(at: index)
                #expect(throws: AddressError.length(characters: 98)) { try BlocAddress(String(lost)) }
                var doubled = Array(address)
                doubled.insert(character, at: index)
                #expect(throws: AddressError.length(characters: 100)) { try BlocAddress(String(doubled)) }
            }
        }
    }

    @Test func standsAnyTextAfterTheMarker() {
        var random = SeededGenerator(seed: 58)
        for _ in 0..<500 {
            let count = Int.random(in: 0...300, using: &random)
            let userString = "abLoc" + String(decoding: random.bytes(count), as: UTF8.self)
            #expect(throws: AddressError.self) { try BlocAddress.check(userString) }
        }
    }
}
