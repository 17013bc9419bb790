/// A wallet, user name or token as a log may show it.
public enum SecretText {
    /// The first six and last four characters of `secret`; of a short one nothing but its length.
    public static func masked(_ secret: String) -> String {
        guard secret.count > 16 else { return secret.isEmpty ? "(none)" : "(\(secret.count) characters)" }
        return "\(PeerText.printable(secret.prefix(6)))…\(PeerText.printable(secret.suffix(4)))"
    }
}
