internal import CryptoNight

/// The forms of the kernels that a miner uses: one to mine with, another one to check shares with.
struct KernelChoice: Sendable {
    let mining: HashKernel
    let checking: HashKernel
    /// What was refused on the way, in words.
    let refusals: [String]

    /// Picks the best path that passes its self-test with `lanes` lanes, or exactly `path`.
    ///
    /// Shares are checked one lane at a time, on the same path where that is another form than the one that mines, else
    /// on the portable path; where both are the same, at least on another scratchpad.
    /// What `watch` ends early counts as passed: nobody waits for it any more.
    init(variant: HashVariant, path: InstructionSet?, lanes: Int, watching watch: WorkWatch? = nil) throws(MinerError) {
        var refusals: [String] = []
        let candidates = path.map { [$0] } ?? InstructionSet.supported.reversed()
        let mining = Self.firstSound(candidates, variant: variant, lanes: lanes, watch, refusals: &refusals)
        guard let mining else {
            throw .failure("no path can hash \(variant.name) here: \(refusals.joined(separator: "; "))")
        }
        var judges = [mining.path, .portable]
        if mining.lanes == 1 { judges.removeFirst() }
        let checking = Self.firstSound(judges, variant: variant, lanes: 1, watch, refusals: &refusals)
        self.mining = mining
        self.checking = checking ?? HashKernel(variant: variant, path: .portable, lanes: 1)
        self.refusals = refusals
    }

    private static func firstSound(
        _ paths: [InstructionSet],
        variant: HashVariant,
        lanes: Int,
        _ watch: WorkWatch?,
        refusals: inout [String]
    ) -> HashKernel? {
        for path in paths {
            let kernel = HashKernel(variant: variant, path: path, lanes: lanes)
            guard let failure = SelfTest.failure(of: kernel, watching: watch) else { return kernel }
            refusals.append("\(kernel) is refused: \(failure)")
        }
        return nil
    }
}
