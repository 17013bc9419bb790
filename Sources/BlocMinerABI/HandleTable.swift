internal import CBlocMiner
internal import PoolTransport

/// Every miner that C holds. A handle is a number that is never given out again, not an address: a stale one is noticed.
enum HandleTable {
    private struct State {
        var miners: [UInt: HostedMiner] = [:]
        var last: UInt = 0
    }

    private static let state = Locked(State())
    // Handles look like addresses that nobody has: a host that follows one crashes at once.
    private static let step: UInt = 16

    static func add(_ miner: HostedMiner) -> OpaquePointer? {
        let number = state.withLock { state in
            state.last += step
            state.miners[state.last] = miner
            return state.last
        }
        return OpaquePointer(bitPattern: number)
    }

    /// The miner behind a handle.
    static func miner(_ handle: OpaquePointer?) throws(ABIError) -> HostedMiner {
        guard let handle else { throw .null("miner") }
        guard let miner = state.withLock({ $0.miners[UInt(bitPattern: handle)] }) else { throw .invalidHandle }
        return miner
    }

    /// Destroys the miner. Its last callbacks still know it; for everybody else its handle is void from then on.
    static func destroy(_ handle: OpaquePointer?) throws(ABIError) {
        try miner(handle).destroy()
        state.withLock { _ = $0.miners.removeValue(forKey: UInt(bitPattern: handle)) }
    }
}
