import MiningWork

/// What a pool may echo and no log may show: the login's user and password.
struct LoginSecrets: Sendable {
    private static let shortestUser = 4
    private static let shortestPartOfUser = 8
    private static let shortestPassword = 4

    /// The longest first, so that none is cut up by a shorter one within it.
    private let texts: [String]

    /// The secrets of a login. Parts of the user are those between the signs that pools read suffixes after, such as a
    /// wallet before a worker's name. What is too short to be told from ordinary words is no secret.
    init(user: String, password: String) {
        let parts = user.split(whereSeparator: { ".+:/".contains($0) }).map(String.init)
        let texts =
            [user].filter { $0.count >= Self.shortestUser } + parts.filter { $0.count >= Self.shortestPartOfUser }
            + [password].filter { $0.count >= Self.shortestPassword }
        self.texts = Set(texts.map { PeerText.printable($0, limit: .max) }).sorted {
            ($1.count, $0) < ($0.count, $1)
        }
    }

    /// `text` of a pool as it may be shown: printable, the secrets masked, and only then cut to `limit` characters.
    func printable(_ text: some StringProtocol, limit: Int = 200) -> String {
        let cleaned = PeerText.printable(text, limit: .max)
        let masked = texts.reduce(cleaned) { $0.replacing($1, with: SecretText.masked($1)) }
        return PeerText.printable(masked, limit: limit)
    }
}
