import Synchronization

/// A clock that stands still until a test moves it. All copies of a reference see one time.
public final class ManualClock: Sendable {
    private let time: Mutex<Duration>

    /// A clock that shows `start`.
    public init(startingAt start: Duration = .zero) { time = Mutex(start) }

    /// The time since an arbitrary beginning; it never goes back.
    public var now: Duration { time.withLock { $0 } }

    /// Moves the clock forward and shows the new time. A negative step leaves it as it is.
    @discardableResult
    public func advance(by step: Duration) -> Duration {
        time.withLock { time in
            time += max(step, .zero)
            return time
        }
    }
}
