import MiningWork
import Testing

@Suite struct NonceTests {
    @Test func standsInTheBlobLowestByteFirst() {
        #expect(Nonce(1).hex == "01000000")
        #expect(Nonce(0x7800_0053).hex == "53000078")
        #expect(Nonce(0x0403_0201).bytes == [1, 2, 3, 4])
    }

    @Test func fullSpaceHoldsEveryNumberOnce() {
        #expect(NonceSpace.full.count == 1 << 32)
        #expect(NonceSpace.full.nonce(at: 0) == Nonce(0))
        #expect(NonceSpace.full.nonce(at: 0x1234_5678) == Nonce(0x1234_5678))
        #expect(NonceSpace.full.nonce(at: 0xffff_ffff) == Nonce(.max))
    }

    @Test(arguments: [0, 1, 0x78, 0xff] as [UInt8]) func lowSpaceKeepsTheHighByte(fixed: UInt8) {
        let space = NonceSpace.low24(fixed: fixed)
        #expect(space.count == 1 << 24)
        for counter: UInt64 in [0, 1, 0xffff, 0xff_ffff] {
            #expect(space.nonce(at: counter) == Nonce(UInt32(fixed) << 24 + UInt32(counter)))
        }
    }

    @Test(arguments: [NonceSpace.full, .low24(fixed: 0), .low24(fixed: 0xff)])
    func neverWraps(space: NonceSpace) {
        #expect(space.nonce(at: space.count - 1) != nil)
        for counter in [space.count, space.count + 1, 1 << 33, .max] { #expect(space.nonce(at: counter) == nil) }
    }
}
