import MiningWork

/// A coin's rules, as a row of a table.
public struct Coin: Hashable, Sendable {
    /// What a user calls it, in lower case.
    public let name: String
    /// The name under which the algorithm catalog knows its hash; nil where the user must name one.
    public let algorithmName: String?
    /// What its addresses start with; nil where user strings aren't looked at.
    public let addressPrefix: String?
    /// Atomic units in one coin.
    public let unitsPerCoin: UInt64
    /// Digits after the point when an amount is shown in coins.
    public let decimalPlaces: Int
    /// The time between two blocks that the difficulty aims at.
    public let blockTarget: Duration?

    /// BLOC.
    public static let bloc = Coin(
        name: "bloc",
        algorithmName: "bloc",
        addressPrefix: BlocAddress.marker,
        unitsPerCoin: 10_000,
        decimalPlaces: 4,
        blockTarget: .seconds(120)
    )

    /// Any coin at all: no algorithm implied, no address looked at, amounts in units.
    public static let unspecified = Coin(
        name: "none",
        algorithmName: nil,
        addressPrefix: nil,
        unitsPerCoin: 1,
        decimalPlaces: 0,
        blockTarget: nil
    )

    /// The whole table.
    public static let all = [bloc, unspecified]
}

extension Coin {
    /// The coin of this name, in any case.
    public init(named name: some StringProtocol) throws(CoinError) {
        let lowercased = name.lowercased()
        guard let coin = Self.all.first(where: { $0.name == lowercased }) else {
            throw .unknown(String(name), nearest: NearestNames.of(lowercased, among: Self.all.map(\.name)))
        }
        self = coin
    }
}

/// Why a coin's name is refused.
public enum CoinError: Error, Hashable, Sendable {
    /// No row of the table has this name; `nearest` look like it.
    case unknown(String, nearest: [String])
}

extension CoinError: CustomStringConvertible {
    /// The refusal in words, with all the names there are.
    public var description: String {
        switch self {
        case .unknown(let name, let nearest):
            "there is no coin named \(Wording.quoted(name))\(Wording.suggestion(nearest)); "
                + "known are \(Coin.all.map(\.name).joined(separator: ", "))"
        }
    }
}
