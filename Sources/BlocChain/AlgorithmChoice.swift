public import MiningWork

/// What to hash and for which coin, made out of what a user said and left unsaid.
///
/// - A coin's name implies its algorithm; a different algorithm beside it is a contradiction.
/// - Without a coin's name, an address in the user string implies its coin. An explicit algorithm wins over that.
/// - The address is checked in both cases. The coin `none` switches all of this off.
public struct AlgorithmChoice: Hashable, Sendable {
    /// The algorithm for jobs that don't name theirs; nil where only the pool can tell.
    public let algorithm: Algorithm?
    /// The coin whose rules hold; nil for none.
    public let coin: Coin?

    /// Chooses. The names are those that the user gave explicitly.
    public init(
        algorithmName: String? = nil,
        coinName: String? = nil,
        userString: String,
        catalog: AlgorithmCatalog
    ) throws(AlgorithmChoiceError) {
        let stated = try Self.algorithm(named: algorithmName, in: catalog)
        let statedCoin = try Self.coin(named: coinName)
        guard statedCoin != .unspecified else {
            algorithm = stated
            coin = nil
            return
        }
        let address = try Self.address(in: userString)
        coin = statedCoin ?? address.map { _ in .bloc }
        let implied = try Self.algorithm(named: coin?.algorithmName, in: catalog)
        if let statedCoin, let stated, let implied, stated != implied {
            throw .contradiction(algorithm: stated.name, coin: statedCoin.name, coinAlgorithm: implied.name)
        }
        algorithm = stated ?? implied
    }

    private static func algorithm(
        named name: String?,
        in catalog: AlgorithmCatalog
    ) throws(AlgorithmChoiceError) -> Algorithm? {
        guard let name else { return nil }
        guard let algorithm = catalog.algorithm(named: name) else {
            throw .unknownAlgorithm(name, nearest: catalog.names(near: name))
        }
        return algorithm
    }

    private static func coin(named name: String?) throws(AlgorithmChoiceError) -> Coin? {
        guard let name else { return nil }
        do { return try Coin(named: name) } catch { throw .coin(error) }
    }

    private static func address(in userString: String) throws(AlgorithmChoiceError) -> BlocAddress? {
        do { return try BlocAddress.check(userString) } catch { throw .address(error) }
    }
}

/// Why no algorithm can be chosen.
public enum AlgorithmChoiceError: Error, Hashable, Sendable {
    /// The catalog doesn't have this name; `nearest` look like it.
    case unknownAlgorithm(String, nearest: [String])
    /// The coin's name is wrong.
    case coin(CoinError)
    /// The user string holds a damaged address.
    case address(AddressError)
    /// The algorithm and the coin that the user named don't go together.
    case contradiction(algorithm: String, coin: String, coinAlgorithm: String)
}

extension AlgorithmChoiceError: CustomStringConvertible {
    /// The refusal in words, with what to do.
    public var description: String {
        switch self {
        case .unknownAlgorithm(let name, let nearest):
            "there is no algorithm named \(Wording.quoted(name))\(Wording.suggestion(nearest))"
        case .coin(let error): error.description
        case .address(let error):
            "the user string holds a damaged BLOC address: \(error); copy it again from the wallet, "
                + "or name the coin \"\(Coin.unspecified.name)\" to mine without this check"
        case .contradiction(let algorithm, let coin, let coinAlgorithm):
            "the algorithm \(algorithm) contradicts the coin \(coin), which is hashed with \(coinAlgorithm); "
                + "leave out one of the two"
        }
    }
}
