import MiningWork

/// Why a text is no pool address.
public enum PoolAddressError: Error, Hashable, Sendable {
    /// Nothing was given.
    case empty
    /// There is white space in it.
    case blank(value: String)
    /// There is a control character in it, such as a tab or an escape.
    case controlCharacter(value: String)
    /// A scheme that pools don't have.
    case scheme(String, value: String)
    /// A user name stands before the host. Only the host is kept, since a wallet or password may precede it.
    case userInfo(host: String)
    /// Something follows the port.
    case path(value: String)
    /// An IPv6 address without its brackets, or brackets around something else.
    case brackets(value: String)
    /// The host is missing.
    case noHost
    /// The host is longer than a name can be.
    case longHost(bytes: Int)
    /// The host is neither a name nor an address.
    case host(value: String)
    /// The port is not a number from 1 to 65535.
    case port(value: String, port: String)
}

extension PoolAddressError: CustomStringConvertible {
    /// What is wrong, with which text, and what to write instead.
    public var description: String {
        switch self {
        case .empty: "the pool address is empty; write host:port"
        case .blank(let value): "\(quoted(value)) contains a blank; write host:port without blanks"
        case .controlCharacter(let value):
            "\(quoted(value)) contained a control character, not shown here; write host:port without any"
        case .scheme(let scheme, let value):
            "\(quoted(value)): \(quoted(scheme)) is no pool scheme; use stratum+tcp://, stratum+ssl:// (TLS) or none"
        case .userInfo(let host):
            "the pool address has a user before \(quoted(host)); write host:port, and give the user separately"
        case .path(let value): "\(quoted(value)) goes on after the port; write host:port and nothing more"
        case .brackets(let value): "\(quoted(value)): write an IPv6 address in brackets, as in [2001:db8::1]:3333"
        case .noHost: "the pool address has no host; write host:port"
        case .longHost(let bytes):
            "the pool's host name has \(bytes) bytes; \(PoolAddress.longestHost) are possible"
        case .host(let value):
            "\(quoted(value)) is no host name or address; use letters, digits, dots and hyphens, or a full address"
        case .port(let value, let port):
            "\(quoted(value)): the port must be a number from 1 to 65535, not \(quoted(port))"
        }
    }

    private func quoted(_ text: String) -> String { "\"\(PeerText.printable(text, limit: 80))\"" }
}
