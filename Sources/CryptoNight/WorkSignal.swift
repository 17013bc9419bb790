internal import CHashKernels

/// A number that goes up whenever the hashing at hand has become pointless: a new job, a pause, the end.
///
/// Kernel calls watch it and give up within about a millisecond. Any thread may advance it.
public final class WorkSignal: Sendable {
    // A word of its own cache line, so that watching it never shares a line that something else writes.
    private nonisolated(unsafe) let line: UnsafeMutableRawPointer
    private static let cacheLineBytes = 64

    /// A signal whose count is zero.
    public init() {
        line = .allocate(byteCount: Self.cacheLineBytes, alignment: Self.cacheLineBytes)
        line.initializeMemory(as: UInt8.self, repeating: 0, count: Self.cacheLineBytes)
    }

    deinit { line.deallocate() }

    /// How often it was advanced, modulo 2^32.
    public var count: UInt32 { chk_watch_load(word) }

    /// Makes every call give up that watches the present count. Returns the new count.
    @discardableResult
    public func advance() -> UInt32 { chk_watch_add(word) }

    /// What a kernel call needs to watch for any count but `expected`.
    func watch(expecting expected: UInt32) -> chk_watch { chk_watch(word: word, expected: expected) }

    private var word: UnsafeMutablePointer<UInt32> { line.assumingMemoryBound(to: UInt32.self) }
}

/// A signal and the count at which the work is still wanted.
public struct WorkWatch: Sendable {
    let signal: WorkSignal
    let count: UInt32

    /// Watches `signal` for any change from `count`, which is to be read before the work is.
    public init(_ signal: WorkSignal, count: UInt32) {
        self.signal = signal
        self.count = count
    }

    /// Whether the work is still wanted.
    public var isCurrent: Bool { signal.count == count }
}
