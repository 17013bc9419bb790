import Testing

@testable import blocminer

struct ProcessLimitTests {
    @Test(
        arguments: [
            (nil, nil, nil), (512 << 20, 16, nil), (47 << 20, 1024, "48128 KiB"), (nil, 15, "15, and at least 16"),
            (0, 0, "address space"),
        ] as [(UInt64?, UInt64?, String?)]
    )
    func namesTheLimitThatIsTooLow(bytes: UInt64?, descriptors: UInt64?, expected: String?) {
        let refusal = ProcessLimits(addressSpaceBytes: bytes, descriptors: descriptors).refusal
        #expect((refusal == nil) == (expected == nil))
        if let expected {
            #expect(refusal?.contains(expected) == true)
            #expect(refusal?.contains("ulimit") == true)
        }
    }
}

struct ArgumentByteTests {
    private static func bytes(_ text: String) -> [CChar] { text.utf8.map { CChar(bitPattern: $0) } }

    @Test func refusesWhatIsNoText() {
        let error = ArgumentBytes.refusal(of: [Self.bytes("-u"), Self.bytes("secret") + [-1]])
        #expect(error?.status == .usage)
        #expect(error?.message?.contains("argument 2 is not UTF-8") == true)
        #expect(error?.message?.contains("secret") == false)
    }

    @Test func takesText() {
        #expect(ArgumentBytes.refusal(of: [Self.bytes("é\u{FFFD}"), []]) == nil)
        #expect(ArgumentBytes.refusal(of: []) == nil)
    }
}
