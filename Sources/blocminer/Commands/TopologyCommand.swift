import BlocMiner

/// `blocminer topology`: shows the machine and where threads would go.
enum TopologyCommand: Command {
    struct Settings: HashingSettings {
        var limits = HashingLimits()
        var xml: String?
        var variant: HashVariant?
        var format = ReportFormat.text
    }

    static let manual = CommandManual(
        name: "topology",
        summary: "Show the machine, where threads would go and why",
        options: [
            .value("-a --algo", .algorithm, "Algorithm to plan for; default \(DefaultAlgorithm.words)") {
                $0.variant = $1
            }
        ] + CommandOption.placement + [
            .value("--xml", .text("FILE"), "Plan for the machine in this file, which 'lstopo FILE.xml' wrote") {
                $0.xml = $1
            },
            .value("--format", .choice("F"), "How to write the plan; default text") { $0.format = $1 },
        ],
        notes: ["Nothing is hashed."],
        defaults: Settings()
    )

    static func run(_ settings: Settings, operands: [String]) async throws(CommandError) -> ExitStatus {
        let report = try report(settings)
        switch settings.format {
        case .text: for line in report.lines { try TextStream.output.printLine(line) }
        case .json: try TextStream.output.printLine(report.json.line)
        }
        return .success
    }

    private static func report(_ settings: Settings) throws(CommandError) -> TopologyReport {
        let variant = try DefaultAlgorithm.variant(unless: settings.variant)
        let machine: TopologySnapshot
        do {
            machine = if let path = settings.xml { try TopologySnapshot(xml: path) } else { try .current() }
        } catch { throw .failure(error.description) }
        let limits = ThreadLimits(
            threads: settings.limits.threads,
            affinity: settings.limits.affinity,
            lanes: settings.limits.lanes
        )
        do {
            let plan = try ThreadPlan(topology: machine, limits: limits, scratchpadBytes: variant.memoryBytes)
            return TopologyReport(machine: machine, plan: plan, variant: variant)
        } catch { throw .usage(error.description, command: manual.name) }
    }
}

/// A machine and a plan for it, to be shown.
struct TopologyReport {
    let machine: TopologySnapshot
    let plan: ThreadPlan
    let variant: HashVariant

    /// Pages of 2 MiB that the plan's scratchpads need: every thread's block is rounded up.
    var pages: Int {
        let page = PageBacking.hugePageBytes
        return plan.threads.count * ((plan.lanes * plan.scratchpadBytes + page - 1) / page)
    }

    var json: JSONValue {
        [
            "machine": [
                "name": .text(machine.name),
                "pus": .integer(machine.pus.count),
                "cores": .integer(machine.coreCount),
                "nodes": .integer(machine.nodes.count),
                "caches": .array(machine.caches.map(Self.json(of:))),
            ],
            "threads": .array(plan.threads.map(Self.json(of:))),
            "lanes": .integer(plan.lanes),
            "scratchpads": .integer(plan.scratchpads),
            "pages": .integer(pages),
            "reasons": .array(plan.reasons.map(JSONValue.text)),
        ]
    }

    var lines: [String] {
        machineLines + [""] + planLines + [""] + table.lines + [""] + ["Why:"] + plan.reasons.map { "  \($0)" }
    }

    private var machineLines: [String] {
        let counts = [
            NumberText.count(machine.pus.count, "processing unit"), NumberText.count(machine.coreCount, "core"),
            NumberText.count(machine.nodes.count, "NUMA node"),
        ]
        return ["\(machine.name): \(counts.joined(separator: ", "))"] + cacheLines
    }

    /// Caches of the same level and size together.
    private var cacheLines: [String] {
        var lines: [String] = []
        for level in Set(machine.caches.map(\.level)).sorted() {
            let caches = machine.caches.filter { $0.level == level }
            for bytes in Set(caches.map(\.bytes)).sorted() {
                let size = bytes > 0 ? NumberText.bytes(bytes) : "unknown size"
                lines.append("  L\(level): \(caches.count { $0.bytes == bytes }) × \(size)")
            }
        }
        return lines
    }

    private var planLines: [String] {
        let threads = NumberText.count(plan.threads.count, "thread")
        let lanes = NumberText.count(plan.lanes, "lane")
        return [
            "\(variant.name): \(threads) × \(lanes) = \(NumberText.count(plan.scratchpads, "scratchpad")) of "
                + NumberText.bytes(plan.scratchpadBytes),
            "Memory: \(NumberText.count(pages, "huge page")) of \(NumberText.bytes(PageBacking.hugePageBytes))",
        ]
    }

    private var table: TextTable {
        var table = TextTable([("thread", .right), ("PU", .right), ("core", .right), ("node", .right), ("L3", .right)])
        for (index, place) in plan.threads.enumerated() {
            let places = [place.pu, place.core, place.node, place.l3]
            table.add(["\(index)"] + places.map { $0.map(String.init) ?? "-" })
        }
        return table
    }

    private static func json(of cache: TopologySnapshot.Cache) -> JSONValue {
        [
            "level": .integer(cache.level), "id": .integer(cache.id), "bytes": .integer(cache.bytes),
            "pus": .array(cache.pus.map(JSONValue.integer)),
        ]
    }

    private static func json(of place: ThreadPlan.Placement) -> JSONValue {
        [
            "pu": .integer(place.pu), "core": .integer(place.core), "node": .optional(place.node),
            "l3": .optional(place.l3),
        ]
    }
}
