internal import BlocMiner
internal import CBlocMiner

/// Why a call failed: the status that it returns, and what `blocminer_last_error` says then.
struct ABIError: Error {
    let status: blocminer_status_t
    let text: String

    init(_ status: Int, _ text: String) {
        self.status = blocminer_status_t(status)
        self.text = text
    }

    static func invalidArgument(_ text: String) -> ABIError { ABIError(BLOCMINER_INVALID_ARGUMENT, text) }

    /// A pointer that must not be null.
    static func null(_ name: String) -> ABIError { invalidArgument("\(name) is null") }

    static let invalidHandle = ABIError(
        BLOCMINER_INVALID_HANDLE,
        "this is no miner, or one that has been destroyed"
    )

    init(_ error: MinerError) {
        switch error {
        case .usage(let text): self.init(BLOCMINER_INVALID_ARGUMENT, text)
        case .failure(let text): self.init(BLOCMINER_FAILED, text)
        }
    }

    init(_ error: HashingError) {
        switch error {
        case .input: self.init(BLOCMINER_INVALID_ARGUMENT, error.description)
        case .memory: self.init(BLOCMINER_NO_MEMORY, error.description)
        }
    }
}

/// Runs what a function of the C interface does, and turns its error into a status and a text.
func status(of body: () throws(ABIError) -> Int) -> blocminer_status_t {
    // Before any lock is taken: another thread of the parent may have held it, and is not here.
    guard !ParentProcess.isMissing else { return blocminer_status_t(BLOCMINER_FORKED) }
    do throws(ABIError) {
        return blocminer_status_t(try body())
    } catch {
        LastError.set(error.text)
        return error.status
    }
}
