import CryptoNight
import MiningWork
import PoolTransport
import Testing

@testable import BlocMiner

@Suite struct AlgorithmSuspicionTests {
    private static let digest = Digest(words: SIMD4(1, 2, 3, 4))

    private static func suspicion(
        of name: String,
        version: UInt8 = 5,
        refusal: String = "Low difficulty share",
        user: String = "x",
        host: String = "pool.example.com"
    ) throws -> AlgorithmSuspicion {
        let variant = try #require(HashVariant(named: name))
        let shares = try (0..<3).map { number in
            Share(job: try job(of: variant, byte: version), nonce: Nonce(number), digest: digest)
        }
        let pool = PoolConfiguration(address: try PoolAddress(host: host, port: 1), user: user)
        return AlgorithmSuspicion(shares, refusal: refusal, pool: pool)
    }

    private static func names(_ suspicion: AlgorithmSuspicion) -> [String] {
        suspicion.candidates.map(\.algorithm.name)
    }

    @Test func believesThePoolsWordsFirst() throws {
        let suspicion = try Self.suspicion(of: "cn/0", refusal: "wrong algo, use 'cryptonight_turtle' here")
        #expect(Self.names(suspicion).first == "cn-pico")
    }

    @Test(arguments: [(3, "cn-heavy/0"), (4, "cn-heavy/xhv"), (5, "cn-heavy/xhv")])
    func knowsTheCoinOfAnAddress(version: Int, expected: String) throws {
        let suspicion = try Self.suspicion(of: "cn/0", version: UInt8(version), user: "solo:abLocX.5000")
        #expect(Self.names(suspicion).first == expected)
    }

    @Test(arguments: [
        ("haven.example.com", "cn-heavy/xhv"), ("conceal.example.com", "cn/ccx"), ("eu.trtl.example.com", "cn-pico"),
        ("heavy.example.com", "cn/1"),
    ])
    func readsThePoolsName(host: String, expected: String) throws {
        #expect(Self.names(try Self.suspicion(of: "cn/0", host: host)).first == expected)
    }

    @Test(arguments: [(7, "cn/1"), (9, "cn/2"), (10, "cn/r"), (12, "cn/0")])
    func knowsMonerosBlockVersions(version: Int, expected: String) throws {
        #expect(Self.names(try Self.suspicion(of: "cn/half", version: UInt8(version))).first == expected)
    }

    @Test func offersTheFamilyAndNeverWhatWasMined() throws {
        let names = Self.names(try Self.suspicion(of: "cn-heavy/xhv", user: "abLocX"))
        #expect(names.prefix(2) == ["cn-heavy/0", "cn-heavy/tube"])
        #expect(!names.contains("cn-heavy/xhv") && Set(names).count == names.count && names.count <= 5)
    }

    @Test func hashesAgainBeforeItBlamesTheAlgorithm() throws {
        let suspicion = try Self.suspicion(of: "cn/0")
        #expect(suspicion.sentence { _, _, _ in Self.digest }.contains("They are right as cn/0, so the coin probably"))
        let unsound = suspicion.sentence { _, _, _ in nil }
        #expect(unsound.contains("this machine is unreliable") && !unsound.contains("--algo"))
    }

    @Test func hashesOnThePortablePath() throws {
        let variant = try quickVariant()
        let job = try job(of: variant)
        var workspace = try HashWorkspace(HashKernel(variant: variant, path: .portable, lanes: 1))
        let expected = try workspace.hash([job.blob])?.first
        #expect(PortableDigest.digest(variant.algorithm, job.blob, nil) == expected && expected != nil)
        #expect(PortableDigest.digest(Algorithm(name: "nosuch"), job.blob, nil) == nil)
        let random = try #require(HashVariant(named: "cn/r"))
        #expect(PortableDigest.digest(random.algorithm, job.blob, nil) == nil)
    }
}
