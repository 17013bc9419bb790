internal import BlocMiner
internal import CBlocMiner

/// What a host asks of a miner, checked as far as it can be without making one.
struct MinerOptions: Sendable {
    private var pools: [PoolConfiguration] = []
    private var limits = HashingLimits()
    private var tuning = TuningPolicy(isEnabled: false)
    private let coin: String?
    /// What is mined where a job doesn't name its algorithm.
    let algorithm: HashVariant?

    /// Whether jobs come from the host.
    var isHostFed: Bool { pools.isEmpty }

    init(_ options: blocminer_options_t) throws(ABIError) {
        algorithm = options.algorithm == nil ? nil : try AlgorithmTable.variant(named: options.algorithm)
        coin = Texts.text(options.coin)
        if options.pools != nil || options.pool_count != 0 {
            for pool in try blocminer_pool_t.read(options.pools, count: options.pool_count) {
                pools.append(try PoolConfiguration(pool))
            }
        }
        limits = try HashingLimits(options)
        if options.tunes != 0 {
            let folder = Texts.text(options.tuning_folder)
            tuning = TuningPolicy(cache: folder.map { TuningCache(folder: $0) })
        }
    }

    /// The configuration of a miner for the pools, or for what `source` delivers.
    func configuration(source: HostSource?) -> MinerConfiguration? {
        if let source { return MinerConfiguration(source: source, limits: limits, tuning: tuning) }
        guard !pools.isEmpty else { return nil }
        let pools = pools.map { pool in
            var pool = pool
            pool.algorithm = algorithm?.name
            return pool
        }
        return MinerConfiguration(pools: pools, coin: coin, limits: limits, tuning: tuning)
    }
}

extension PoolConfiguration {
    fileprivate init(_ pool: blocminer_pool_t) throws(ABIError) {
        guard let text = Texts.text(pool.address) else { throw .null("blocminer_pool_t.address") }
        guard let user = Texts.text(pool.user) else { throw .null("blocminer_pool_t.user") }
        let tls = try TLSPolicy(pool)
        var address: PoolAddress
        do { address = try PoolAddress(parsing: text) } catch { throw .invalidArgument("\(error)") }
        if tls != nil { address.usesTLS = true }
        self.init(
            address: address,
            user: user,
            password: Texts.text(pool.password) ?? "x",
            rigID: Texts.text(pool.rig_id),
            isNiceHash: pool.is_nicehash != 0,
            tls: tls ?? .systemAuthorities
        )
        do { proxy = try Texts.text(pool.proxy).map(ProxyAddress.init(parsing:)) } catch {
            throw .invalidArgument("\(error)")
        }
    }
}

extension TLSPolicy {
    /// Nil: none is asked for.
    fileprivate init?(_ pool: blocminer_pool_t) throws(ABIError) {
        do {
            switch (Texts.text(pool.tls_fingerprint), Texts.text(pool.tls_authorities), pool.is_tls_insecure) {
            case (nil, nil, 0): return nil
            case (let text?, nil, 0): self = .pinned(try CertificateFingerprint(parsing: text))
            case (nil, let path?, 0): self = .authorities(try CertificateAuthorities(file: path))
            case (nil, nil, _): self = .insecure
            default: throw ABIError.invalidArgument("a pool is believed for one reason: blocminer_pool_t has several")
            }
        } catch let error as ABIError {
            throw error
        } catch {
            throw .invalidArgument("\(error)")
        }
    }
}

extension HashingLimits {
    fileprivate init(_ options: blocminer_options_t) throws(ABIError) {
        self.init(
            threads: options.threads == 0 ? nil : Int(options.threads),
            lanes: options.lanes == 0 ? nil : Int(options.lanes),
            hugePages: try HugePagePolicy(options.pages),
            memoryBytes: options.memory_bytes == 0 ? nil : Int(clamping: options.memory_bytes)
        )
        do { affinity = try Texts.text(options.affinity).map { list throws(TopologyError) in try PUList(list) } } catch
        {
            throw .invalidArgument("blocminer_options_t.affinity: \(error)")
        }
        do {
            path = try Texts.text(options.path).map { name throws(InstructionSetError) in
                try InstructionSet(named: name)
            }
        } catch {
            throw .invalidArgument("blocminer_options_t.path: \(error)")
        }
    }
}

extension HugePagePolicy {
    fileprivate init(_ pages: blocminer_pages_t) throws(ABIError) {
        switch Int(pages) {
        case BLOCMINER_PAGES_PREFER_HUGE: self = .prefer
        case BLOCMINER_PAGES_REQUIRE_HUGE: self = .require
        case BLOCMINER_PAGES_ORDINARY: self = .off
        default: throw .invalidArgument("blocminer_options_t.pages is \(pages); there are 0, 1 and 2")
        }
    }
}
