import CryptoNight
import Dispatch
import MiningWork
import Synchronization
import Testing

@testable import BlocMiner

@Suite struct NonceLedgerTests {
    @Test func handsOutEveryNonceOnceToManyThreads() {
        let counter = NonceCounter(startingAt: (1 << 24) - 10_000)
        let taken = Mutex<[UInt64]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            while let places = counter.take(thread + 1, from: .low24(fixed: 9)) {
                taken.withLock { $0 += Array(places) }
            }
        }
        let all = taken.withLock { $0.sorted() }
        #expect(all == Array(UInt64((1 << 24) - 10_000)..<UInt64(1 << 24)))
    }

    @Test func endsAtTheEndOfTheSpaceAndStaysThere() {
        let end: UInt64 = 1 << 32
        let counter = NonceCounter(startingAt: end - 3)
        #expect(counter.take(2, from: .full) == end - 3..<end - 1)
        #expect(counter.take(2, from: .full) == end - 1..<end)
        for _ in 0..<100 { #expect(counter.take(2, from: .full) == nil) }
    }

    @Test func goesOnWhereItWasWhenABlobComesAgain() throws {
        let variant = try quickVariant()
        var ledger = NonceLedger()
        #expect(ledger.counter(for: try job(of: variant)).take(5, from: .full) == 0..<5)
        #expect(ledger.counter(for: try job(of: variant, byte: 1)).take(5, from: .full) == 0..<5)
        let again = try job(of: variant, id: "another", difficulty: 3)
        #expect(ledger.counter(for: again).take(5, from: .full) == 5..<10)
    }

    @Test func remembersTheLastSixtyFourBlobs() throws {
        let variant = try quickVariant()
        var ledger = NonceLedger()
        for byte in 0..<64 { _ = ledger.counter(for: try job(of: variant, byte: UInt8(byte))).take(1, from: .full) }
        // The oldest is used again, so the second oldest is the one that a newcomer pushes out.
        #expect(ledger.counter(for: try job(of: variant, byte: 0)).take(1, from: .full) == 1..<2)
        _ = ledger.counter(for: try job(of: variant, byte: 64))
        #expect(ledger.counter(for: try job(of: variant, byte: 2)).take(1, from: .full) == 1..<2)
        #expect(ledger.counter(for: try job(of: variant, byte: 1)).take(1, from: .full) == 0..<1)
    }
}
