import Testing

@testable import Stratum

@Suite struct PoolErrorTextTests {
    @Test(arguments: [
        ("UNAUTHENTICATED", PoolErrorMeaning.sessionGone),
        ("your IP is banned", .banned),
        ("IP Address currently banned", .banned),
        ("Invalid payment address provided: x", .fatalLogin),
        ("Invalid paymentId specified for login, 1.2.3.4 banned for 10 minutes", .fatalLogin),
        ("Block expired", .blockOver),
        ("Block outdated", .blockOver),
        ("Invalid job id", .jobUnknown),
        ("cannot find job with job_id", .jobUnknown),
        ("Bad gateway", .poolWithoutWork),
        ("Low difficulty share", .other),
        ("The share: Block expired", .other),
        ("", .other),
    ])
    func isReadByItsBeginning(text: String, meaning: PoolErrorMeaning) {
        #expect(PoolErrorMeaning(ofPoolText: text) == meaning)
    }
}
