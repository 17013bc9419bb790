public import CryptoNight

/// Checks every form of the kernels on known answers.
public enum SelfTest {
    /// What became of one form.
    public struct Outcome: Sendable {
        /// The form.
        public let kernel: HashKernel
        /// Why it failed, in words; nil when every lane computed the known answers.
        public let failure: String?
    }

    /// Tests `variants` on `paths` at each of `laneCounts`, telling `report` of each in turn. Runs on the calling thread,
    /// for minutes if everything is asked for; ends early when `report` returns false.
    public static func run(
        variants: [HashVariant] = HashVariant.all,
        paths: [InstructionSet] = InstructionSet.supported,
        laneCounts: [Int] = [1, 2, 3, 4],
        report: (Outcome) -> Bool
    ) {
        for variant in variants {
            for path in paths {
                for lanes in laneCounts {
                    let kernel = HashKernel(variant: variant, path: path, lanes: lanes)
                    guard report(Outcome(kernel: kernel, failure: failure(of: kernel))) else { return }
                }
            }
        }
    }

    /// Why `kernel` doesn't compute the known answers, in words; nil when it does, or when `watch` changed before the
    /// end.
    static func failure(of kernel: HashKernel, watching watch: WorkWatch? = nil) -> String? {
        do {
            var workspace = try HashWorkspace(kernel)
            _ = try workspace.selfTest(watching: watch)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
