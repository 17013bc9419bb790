/// A wallet, user name or token as a log may show it.
public enum SecretText {
    /// The first six and last four characters of `secret`; nothing of one that is too short to hide the rest.
    public static func masked(_ secret: String) -> String {
        guard secret.count >= 32 else { return secret.isEmpty ? "(none)" : "(hidden)" }
        return "\(PeerText.printable(secret.prefix(6)))…\(PeerText.printable(secret.suffix(4)))"
    }
}
