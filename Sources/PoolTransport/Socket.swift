import Glibc

/// Owns a non-blocking TCP socket and closes it once, at the latest when it is released. Used on one queue.
final class Socket {
    /// What a read brought.
    enum Reading {
        case bytes([UInt8])
        case endOfStream
        case nothingYet
        case failed(SystemError)
    }

    /// What a write came to.
    enum Writing {
        case wrote(bytes: Int)
        case full
        case failed(SystemError)
    }

    /// Most bytes that one read brings.
    static let readBytes = 65536

    let descriptor: Int32
    private var isOpen = true

    /// Takes a descriptor over, makes it non-blocking and keeps it from child processes.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// A new socket of a family, `AF_INET` or `AF_INET6`.
    convenience init(family: Int32) throws(SystemError) {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(family, Int32(type), 0)
        guard descriptor >= 0 else { throw .last }
        self.init(owning: descriptor)
    }

    deinit { close() }

    /// Idempotent.
    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = Glibc.close(descriptor)
    }

    /// No Nagle; the kernel probes after 60 s of silence and gives up a minute later.
    func setStreamOptions() {
        set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1)
        set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
        set(TCP_KEEPIDLE, of: Int32(IPPROTO_TCP), to: 60)
        set(TCP_KEEPINTVL, of: Int32(IPPROTO_TCP), to: 10)
        set(TCP_KEEPCNT, of: Int32(IPPROTO_TCP), to: 6)
    }

    func set(_ option: Int32, of level: Int32, to value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes the coming `close()` a reset.
    func resetOnClose() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Tells the peer that nothing more comes.
    func shutDownWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    var local: SocketAddress? { SocketAddress { getsockname(descriptor, $0, $1) } }
    var remote: SocketAddress? { SocketAddress { getpeername(descriptor, $0, $1) } }

    /// The error that a connect in the background came to; nil if it succeeded.
    var pendingError: SystemError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return .last }
        return code == 0 ? nil : SystemError(code: code)
    }

    func read() -> Reading {
        var outcome = Reading.nothingYet
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readBytes) { buffer, count in
            let got = retrying { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
            count = max(0, got)
            if got == 0 { outcome = .endOfStream }
            if got < 0, errno != EAGAIN, errno != EWOULDBLOCK { outcome = .failed(.last) }
        }
        return bytes.isEmpty ? outcome : .bytes(bytes)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Writing {
        let wrote = retrying { send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
        if wrote >= 0 { return .wrote(bytes: wrote) }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .full : .failed(.last)
    }

    private func retrying(_ call: () -> Int) -> Int {
        while true {
            let outcome = call()
            if outcome >= 0 || errno != EINTR { return outcome }
        }
    }
}
