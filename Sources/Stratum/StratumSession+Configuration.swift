public import MiningWork

extension StratumSession {
    /// What stays the same over all connections to a pool.
    public struct Configuration: Sendable {
        /// Wallet address or user name, with whatever suffixes the pool understands; sent unchanged.
        public var user: String
        /// Sent with every login: some pools never answer one without it.
        public var password: String
        /// The rig's name, if it has one.
        public var rigID: String?
        /// The program's name and version. The first 100 printable ASCII characters are sent.
        public var agent: String
        /// The user's choice: for jobs that name none, and offered first at login.
        public var algorithm: Algorithm?
        /// All that can be mined.
        public var catalog: AlgorithmCatalog
        /// The pool's host name. Those under nicehash.com turn NiceHash mode on.
        public var host: String
        /// Whether the user asks for NiceHash mode: the highest nonce byte stays as the pool set it.
        public var isNiceHash: Bool
        /// Whether to ask for a sign of life when nothing was sent for a minute.
        public var sendsKeepalive: Bool
        /// Any number; it decides by how much each pause before a reconnect varies.
        public var jitterSeed: UInt64
        /// What the numbers of logins, which jobs carry, are counted on from: sessions with different bases can be told
        /// apart by their jobs.
        public var loginBase: UInt64

        /// The configuration of a session with one pool.
        public init(
            user: String,
            password: String = "x",
            rigID: String? = nil,
            agent: String,
            algorithm: Algorithm? = nil,
            catalog: AlgorithmCatalog,
            host: String,
            isNiceHash: Bool = false,
            sendsKeepalive: Bool = true,
            jitterSeed: UInt64 = 0,
            loginBase: UInt64 = 0
        ) {
            self.user = user
            self.password = password
            self.rigID = rigID
            self.agent = agent
            self.algorithm = algorithm
            self.catalog = catalog
            self.host = host
            self.isNiceHash = isNiceHash
            self.sendsKeepalive = sendsKeepalive
            self.jitterSeed = jitterSeed
            self.loginBase = loginBase
        }

        /// Whether user or host ask for NiceHash mode, whatever the pool says.
        var asksForNiceHash: Bool {
            let host = host.lowercased()
            return isNiceHash || host == "nicehash.com" || host.hasSuffix(".nicehash.com")
        }

        /// The `params` of the login.
        var loginParams: [String: JSONValue] {
            var params: [String: JSONValue] = [
                "login": .string(user),
                "pass": .string(password),
                "agent": .string(
                    String(decoding: agent.utf8.filter { (0x20...0x7E).contains($0) }.prefix(100), as: UTF8.self)
                ),
                "algo": .array(offeredAlgorithms.map { .string($0.name) }),
            ]
            params["rigid"] = rigID.map { .string($0) }
            return params
        }

        private var offeredAlgorithms: [Algorithm] {
            guard let algorithm else { return catalog.algorithms }
            return [algorithm] + catalog.algorithms.filter { $0 != algorithm }
        }
    }
}
