public import CryptoNight

/// Checks every form of the kernels on known answers.
public struct SelfTest: Sendable {
    /// What became of one form.
    public struct Outcome: Sendable {
        /// The form.
        public let kernel: HashKernel
        /// How many lanes were compared; zero when it failed.
        public let comparedLanes: Int
        /// Why it failed, in words; nil when it passed.
        public let failure: String?
    }

    /// Tests `variants` on `paths` at each of `laneCounts`, telling `report` of each in turn. Runs on the calling thread.
    public static func run(
        variants: [HashVariant] = HashVariant.all,
        paths: [InstructionSet] = InstructionSet.supported,
        laneCounts: [Int] = [1, 2, 3, 4],
        report: (Outcome) -> Void
    ) {}
}
