import BlocMiner

/// `blocminer tune`: finds the fastest threads, lanes and path, offline.
enum TuneCommand: Command {
    struct Settings: HashingSettings {
        var limits = HashingLimits()
        var variants: [HashVariant] = []
    }

    static let manual = CommandManual(
        name: "tune",
        summary: "Find the fastest threads, lanes and path, offline",
        options: [
            .value(
                "-a --algo",
                .algorithms,
                "Algorithms to tune for, separated by commas, or all; default \(DefaultAlgorithm.words)"
            ) { $0.variants = $1 }
        ] + CommandOption.hashing + CommandOption.tuning,
        notes: [
            "Takes about a minute an algorithm. mine looks the results up when it is given the same limits, and tunes by "
                + "itself where there is none. They are kept in tuning.json in $CACHE_DIRECTORY, "
                + "$XDG_CACHE_HOME/blocminer or ~/.cache/blocminer."
        ],
        examples: ["blocminer tune", "blocminer tune --algo all --memory 2G"],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        let variants = settings.variants.isEmpty ? [try DefaultAlgorithm.variant()] : settings.variants
        var status = ExitStatus.success
        for variant in variants {
            let tuning = OfflineTuning(variant, limits: settings.limits, policy: .cached)
            do {
                let best = try await tuning.run { form, rate in
                    TextStream.diagnostics.note("\(variant.name): \(form): \(NumberText.hashrate(rate))")
                }
                try TextStream.output.printLine(
                    "\(variant.name): \(best.form): \(NumberText.hashrate(best.hashesPerSecond))"
                )
            } catch let error as MinerError {
                guard case .failure(let text) = error else { throw CommandError(error, command: manual.name) }
                TextStream.diagnostics.note("blocminer: \(variant.name): \(text)")
                status = .failure
            } catch { throw error as? CommandError ?? .failure("\(error)") }
        }
        return status
    }
}
