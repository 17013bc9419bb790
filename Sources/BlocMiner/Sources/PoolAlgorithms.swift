internal import BlocChain
internal import CryptoNight
internal import MiningWork

extension MinerConfiguration {
    /// What each pool is mined with where its jobs don't say; nil where only the pool can tell. Checks the coin and its
    /// addresses too.
    func algorithms() throws(MinerError) -> [Algorithm?] {
        var algorithms: [Algorithm?] = []
        for pool in pools {
            do {
                algorithms.append(
                    try AlgorithmChoice(
                        algorithmName: pool.algorithm,
                        coinName: coin,
                        userString: pool.user,
                        catalog: .cryptoNight
                    ).algorithm
                )
            } catch {
                throw .usage(pools.count > 1 ? "pool \(pool.address): \(error)" : "\(error)")
            }
        }
        return algorithms
    }
}
