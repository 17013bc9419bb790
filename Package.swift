// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is held to these; a forbidden import fails the build.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Rooms that touch no C memory besides.
let strictAndSafe = strict + [.strictMemorySafety()]

let package = Package(
    name: "BlocMiner",
    products: [
        .library(name: "BlocMiner", targets: ["BlocMiner"]),
        .library(name: "CryptoNight", targets: ["CryptoNight"]),
        .executable(name: "blocminer", targets: ["blocminer"]),
        // The shared library for C and C++; scripts/build-library gives it its name, its version and its exports.
        .library(name: "blocminer-abi", type: .dynamic, targets: ["BlocMinerABI"]),
    ],
    targets: [
        // The hash code, in C. Debug builds optimise it too: hashing at -O0 is too slow to test.
        .target(
            name: "CHashKernels",
            path: "CHashKernels",
            cSettings: [
                .treatAllWarnings(as: .error),
                .unsafeFlags(["-O2"], .when(configuration: .debug)),
            ]
        ),
        .systemLibrary(name: "CHwloc", pkgConfig: "hwloc", providers: [.apt(["libhwloc-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        // Rooms, innermost first.
        .target(name: "MiningWork", swiftSettings: strictAndSafe),
        .target(name: "CryptoNight", dependencies: ["CHashKernels", "MiningWork"], swiftSettings: strict),
        .target(name: "MachineTopology", dependencies: ["CHwloc", "MiningWork"], swiftSettings: strict),
        .target(name: "Stratum", dependencies: ["MiningWork"], swiftSettings: strictAndSafe),
        .target(name: "BlocChain", dependencies: ["CryptoNight", "MiningWork"], swiftSettings: strictAndSafe),
        .target(name: "PoolTransport", dependencies: ["COpenSSL", "MiningWork"], swiftSettings: strict),
        .target(
            name: "LoopbackPool",
            dependencies: ["CryptoNight", "MiningWork", "PoolTransport", "Stratum"],
            swiftSettings: strictAndSafe
        ),
        .target(
            name: "BlocMiner",
            dependencies: [
                "BlocChain", "CryptoNight", "LoopbackPool", "MachineTopology", "MiningWork", "PoolTransport", "Stratum",
            ],
            swiftSettings: strictAndSafe
        ),
        .target(name: "CBlocMiner"),
        .target(
            name: "BlocMinerABI",
            dependencies: ["BlocMiner", "CBlocMiner", "PoolTransport"],
            swiftSettings: strict
        ),
        .executableTarget(name: "blocminer", dependencies: ["BlocMiner"], swiftSettings: strict),

        // Measurements, run by hand: swift run -c release NAME.
        .executableTarget(
            name: "hashrate",
            dependencies: ["BlocMiner"],
            path: "Benchmarks/hashrate",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ceiling",
            dependencies: ["BlocMiner"],
            path: "Benchmarks/ceiling",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "stopping",
            dependencies: ["BlocMiner"],
            path: "Benchmarks/stopping",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "kernels",
            dependencies: ["CryptoNight", "MiningWork"],
            path: "Benchmarks/kernels",
            swiftSettings: strict
        ),

        // Tests, one target a room.
        .target(
            name: "MiningTestKit",
            dependencies: ["MiningWork"],
            path: "Tests/MiningTestKit",
            swiftSettings: strict
        ),
        .testTarget(name: "MiningWorkTests", dependencies: ["MiningTestKit", "MiningWork"], swiftSettings: strict),
        .testTarget(
            name: "CryptoNightTests",
            dependencies: ["CHashKernels", "CryptoNight", "MiningTestKit", "MiningWork"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MachineTopologyTests",
            dependencies: ["MachineTopology", "MiningTestKit"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StratumTests",
            dependencies: ["MiningTestKit", "MiningWork", "Stratum"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BlocChainTests",
            dependencies: ["BlocChain", "CryptoNight", "MiningTestKit", "MiningWork"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PoolTransportTests",
            dependencies: ["COpenSSL", "MiningTestKit", "PoolTransport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LoopbackPoolTests",
            dependencies: ["CryptoNight", "LoopbackPool", "MiningTestKit", "MiningWork", "PoolTransport", "Stratum"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BlocMinerTests",
            dependencies: [
                "BlocChain", "BlocMiner", "CryptoNight", "LoopbackPool", "MachineTopology", "MiningTestKit",
                "MiningWork",
                "PoolTransport", "Stratum",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BlocMinerABITests",
            dependencies: ["BlocMinerABI", "CBlocMiner", "LoopbackPool", "MiningTestKit", "MiningWork"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["BlocMiner", "MiningTestKit", "blocminer"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
