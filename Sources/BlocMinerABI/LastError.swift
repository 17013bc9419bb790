internal import Glibc

/// The text of each thread's latest error.
enum LastError {
    private static let slot: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { free($0) } == 0 ? key : nil
    }()

    private static let empty: StaticString = ""

    /// Keeps `text` for the calling thread.
    static func set(_ text: String) {
        guard let slot else { return }
        free(pthread_getspecific(slot))
        pthread_setspecific(slot, strdup(text))
    }

    /// The calling thread's text.
    static var text: UnsafePointer<CChar> {
        guard let text = slot.flatMap({ pthread_getspecific($0) }) else { return constant(empty) }
        return UnsafePointer(text.assumingMemoryBound(to: CChar.self))
    }
}

/// The characters of a constant, for C.
func constant(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
