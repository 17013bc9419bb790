import MiningWork

/// What a pool means by the text of an error. All errors carry the same code, so the text is all there is.
enum PoolErrorMeaning: Hashable, Sendable {
    /// The session is unknown or timed out: log in again.
    case sessionGone
    /// This address is shut out for some minutes: stay away.
    case banned
    /// The login can't succeed as it is.
    case fatalLogin
    /// The share's block is over.
    case blockOver
    /// The share's job is over, or was never there.
    case jobUnknown
    /// The pool or proxy has no work of its own.
    case poolWithoutWork
    /// A refusal without a rule of its own.
    case other

    /// The meaning of a pool's printable `text`, by its beginning and without case.
    init(ofPoolText text: String) {
        let text = text.lowercased()
        self = Self.beginnings.first { text.hasPrefix($0.beginning) }?.meaning ?? .other
    }

    private static let beginnings: [(beginning: String, meaning: Self)] = [
        ("unauthenticated", .sessionGone),

        ("your ip is banned", .banned),
        ("ip address currently banned", .banned),
        ("new connections from this ip address are temporarily suspended", .banned),
        ("temporary (", .banned),
        ("permanently banned", .banned),

        ("invalid address", .fatalLogin),
        ("invalid payment address", .fatalLogin),
        ("invalid paymentid specified for login", .fatalLogin),
        ("invalid difficulty specified for parent login", .fatalLogin),
        ("missing login", .fatalLogin),
        ("no login specified", .fatalLogin),
        ("permission denied", .fatalLogin),
        ("no compatible algorithm found", .fatalLogin),
        ("algorithm negotiation failed", .fatalLogin),
        ("incorrect algorithm", .fatalLogin),

        ("block expired", .blockOver),
        ("block outdated", .blockOver),
        ("invalid job id", .jobUnknown),
        ("cannot find job", .jobUnknown),
        ("bad gateway", .poolWithoutWork),
    ]
}

/// A reply's `error` member, whatever its type.
struct PoolRefusal: Hashable, Sendable, CustomStringConvertible {
    /// What it comes to.
    let meaning: PoolErrorMeaning
    /// The pool's words, made safe to show.
    let description: String

    /// Understands a non-null `error`.
    init(_ error: JSONValue, secrets: LoginSecrets) {
        let said = error.string ?? error["message"]?.string ?? ""
        let words = secrets.printable(said)
        // Told from what was really said: a secret may be a word that means something here.
        meaning = PoolErrorMeaning(ofPoolText: PeerText.printable(said))
        description =
            words.isEmpty ? "no reason given, only \(secrets.printable(error.text, limit: 60))" : words
    }
}
