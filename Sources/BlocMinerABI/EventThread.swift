internal import CBlocMiner
internal import Glibc

/// The thread on which a miner's host hears of events.
final class EventThread: Sendable {
    private let queue: EventQueue
    private let thread: pthread_t

    /// Starts to call `callback` for whatever `queue` gets. The thread takes no signals: they are the host's.
    init(_ queue: EventQueue, _ callback: @escaping HostCallback, context: UnsafeMutableRawPointer?) throws(ABIError) {
        self.queue = queue
        let loop = Loop(queue: queue, callback: callback, context: context)
        var all = sigset_t(), former = sigset_t(), thread = pthread_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        let argument = Unmanaged.passRetained(loop)
        let refusal = pthread_create(&thread, nil, { Loop.run($0) }, argument.toOpaque())
        pthread_sigmask(SIG_SETMASK, &former, nil)
        guard refusal == 0 else {
            argument.release()
            throw ABIError(BLOCMINER_FAILED, "no thread for events: \(String(cString: strerror(refusal)))")
        }
        self.thread = thread
    }

    /// Ends the thread after the callback that runs, if one does, and waits for it. To be called once.
    func stop() {
        queue.close()
        pthread_join(thread, nil)
    }

    /// Whether the calling thread is such a thread, of any miner.
    static var isCurrent: Bool { Loop.mark.map { pthread_getspecific($0) != nil } ?? false }
}

/// The host's function.
typealias HostCallback = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<blocminer_event_t>?) -> Void

/// What an event thread does. Unchecked: the context is the host's, and only handed through.
private final class Loop: @unchecked Sendable {
    static let mark: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private let queue: EventQueue
    private let callback: HostCallback
    private let context: UnsafeMutableRawPointer?

    init(queue: EventQueue, callback: @escaping HostCallback, context: UnsafeMutableRawPointer?) {
        self.queue = queue
        self.callback = callback
        self.context = context
    }

    static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        if let mark { pthread_setspecific(mark, argument) }
        Unmanaged<Loop>.fromOpaque(argument).takeRetainedValue().work()
        return nil
    }

    private func work() {
        while let record = queue.next() {
            record.withEvent { callback(context, $0) }
        }
    }
}
