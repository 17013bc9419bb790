import Glibc

/// Which of the loopback addresses.
public enum LoopbackFamily: Hashable, Sendable, CaseIterable {
    /// 127.0.0.1.
    case ipv4
    /// ::1.
    case ipv6
}

/// A numeric address and port, as the kernel takes them.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var byteCount: socklen_t = 0

    /// Copies an address that a system call allocated.
    init(_ pointer: UnsafePointer<sockaddr>, byteCount: socklen_t) {
        self.byteCount = min(byteCount, socklen_t(MemoryLayout<sockaddr_storage>.size))
        let source = UnsafeRawBufferPointer(start: pointer, count: Int(self.byteCount))
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: source) }
    }

    /// The address that a system call such as `getpeername` fills in; nil if it fails.
    init?(filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &byteCount) }
        }
        guard status == 0 else { return nil }
    }

    /// A port of this machine's loopback interface.
    init(loopback family: LoopbackFamily, port: UInt16) {
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            self.init(bytesOf: address)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            self.init(bytesOf: address)
        }
    }

    private init<Address>(bytesOf address: Address) {
        withUnsafeBytes(of: address) { source in
            withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: source) }
        }
        byteCount = socklen_t(MemoryLayout<Address>.size)
    }

    /// `AF_INET` or `AF_INET6`.
    var family: Int32 { Int32(storage.ss_family) }

    /// The port. Both families keep it in the same place.
    var port: UInt16 { withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) } }

    func withPointer<Outcome>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Outcome) -> Outcome {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, byteCount) }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `192.0.2.1:3333` or `[2001:db8::1]:3333`.
    var description: String {
        let host = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let status = withPointer {
                getnameinfo($0, $1, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
            }
            return status == 0 ? buffer.baseAddress.map { String(cString: $0) } : nil
        }
        guard let host else { return "unknown" }
        return family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
