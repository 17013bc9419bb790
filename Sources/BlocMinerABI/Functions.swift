internal import BlocMiner
public import CBlocMiner

// The functions of blocminer.h, in its order; the header documents them.

/// See blocminer.h.
@c @implementation
public func blocminer_status_text(_ status: blocminer_status_t) -> UnsafePointer<CChar>! { Texts.words(for: status) }

/// See blocminer.h.
@c @implementation
public func blocminer_last_error() -> UnsafePointer<CChar>! { LastError.text }

/// See blocminer.h.
@c @implementation
public func blocminer_version() -> UnsafePointer<CChar>! { Texts.version }

/// See blocminer.h.
@c @implementation
public func blocminer_algorithms() -> Int { AlgorithmTable.count }

/// See blocminer.h.
@c @implementation
public func blocminer_algorithm_at(
    _ number: Int,
    _ algorithm: UnsafeMutablePointer<blocminer_algorithm_t>!
) -> blocminer_status_t {
    status { () throws(ABIError) in
        guard let row = AlgorithmTable.row(number) else { return BLOCMINER_NO }
        try row.write(to: algorithm)
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_hash(
    _ algorithm: UnsafePointer<CChar>!,
    _ input: UnsafeRawPointer!,
    _ input_bytes: Int,
    _ height: UInt64,
    _ hash: UnsafeMutablePointer<UInt8>!
) -> blocminer_status_t {
    status { () throws(ABIError) in
        guard let hash else { throw .null("hash") }
        try HashRequest(algorithm: algorithm, input: input, bytes: input_bytes, height: height).digest().write(to: hash)
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_verify(
    _ algorithm: UnsafePointer<CChar>!,
    _ input: UnsafeRawPointer!,
    _ input_bytes: Int,
    _ height: UInt64,
    _ difficulty: UInt64,
    _ hash: UnsafeMutablePointer<UInt8>!
) -> blocminer_status_t {
    status { () throws(ABIError) in
        guard let difficulty = Difficulty(difficulty) else { throw .invalidArgument("difficulty is 0") }
        let request = try HashRequest(algorithm: algorithm, input: input, bytes: input_bytes, height: height)
        let digest = try request.digest()
        if let hash { digest.write(to: hash) }
        return difficulty.isMet(by: digest) ? BLOCMINER_OK : BLOCMINER_NO
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_create(
    _ options: UnsafePointer<blocminer_options_t>!,
    _ miner: UnsafeMutablePointer<OpaquePointer?>!
) -> blocminer_status_t {
    status { () throws(ABIError) in
        guard let miner else { throw .null("miner") }
        miner.pointee = nil
        miner.pointee = HandleTable.add(try HostedMiner(try .read(options)))
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_start(_ miner: OpaquePointer!) -> blocminer_status_t {
    status { () throws(ABIError) in
        try HandleTable.miner(miner).start()
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_pause(_ miner: OpaquePointer!) -> blocminer_status_t {
    status { () throws(ABIError) in
        try HandleTable.miner(miner).setPaused(true)
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_resume(_ miner: OpaquePointer!) -> blocminer_status_t {
    status { () throws(ABIError) in
        try HandleTable.miner(miner).setPaused(false)
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_stop(_ miner: OpaquePointer!) -> blocminer_status_t {
    status { () throws(ABIError) in
        try refuseWithinCallback("blocminer_stop")
        try HandleTable.miner(miner).stop()
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_destroy(_ miner: OpaquePointer!) -> blocminer_status_t {
    status { () throws(ABIError) in
        try refuseWithinCallback("blocminer_destroy")
        try HandleTable.destroy(miner)
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_set_job(
    _ miner: OpaquePointer!,
    _ job: UnsafePointer<blocminer_job_t>!
) -> blocminer_status_t {
    status { () throws(ABIError) in
        let hosted = try HandleTable.miner(miner)
        try hosted.set(job == nil ? nil : try .read(job))
        return BLOCMINER_OK
    }
}

/// See blocminer.h.
@c @implementation
public func blocminer_statistics(
    _ miner: OpaquePointer!,
    _ statistics: UnsafeMutablePointer<blocminer_statistics_t>!
) -> blocminer_status_t {
    status { () throws(ABIError) in
        try HandleTable.miner(miner).statistics.write(to: statistics)
        return BLOCMINER_OK
    }
}

/// Whoever waits for the event thread on the event thread waits for ever.
private func refuseWithinCallback(_ function: String) throws(ABIError) {
    guard EventThread.isCurrent else { return }
    throw ABIError(BLOCMINER_IN_CALLBACK, "\(function) is not to be called within an event callback")
}
