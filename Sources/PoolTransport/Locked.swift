import Glibc

/// A value behind a lock.
///
/// Like `Synchronization.Mutex`, but a POSIX mutex, since that one waits in the kernel in a way that the thread
/// sanitizer doesn't see and takes for a race. Unchecked: the mutex guards every access.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init(_ value: Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Lets `body` read and change the value alone. Not to be called from within `body`.
    package func withLock<Outcome>(_ body: (inout Value) throws -> Outcome) rethrows -> Outcome {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
