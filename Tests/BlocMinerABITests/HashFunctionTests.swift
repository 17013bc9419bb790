import CBlocMiner
import MiningTestKit
import MiningWork
import Testing

@Suite struct HashFunctionTests {
    private func hash(_ vector: HashVector, algorithm: String? = nil) -> (status: Int, digest: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let status = blocminer_hash(
            algorithm ?? vector.algorithm,
            vector.input,
            vector.input.count,
            vector.height ?? 0,
            &digest
        )
        return (Int(status), digest)
    }

    @Test(arguments: ["cn-heavy/xhv", "cn-pico", "cn/r"]) func hashesAsTheVectorsSay(algorithm: String) throws {
        let vector = try #require(try HashVector.all(of: algorithm).first)
        let (status, digest) = hash(vector)
        #expect(status == BLOCMINER_OK && digest == vector.digest.bytes)
        #expect(hash(vector, algorithm: algorithm.uppercased()).digest == digest)
    }

    @Test func verifiesInFullWidth() throws {
        let vector = try #require(try HashVector.all(of: "cn-pico").first)
        let word = vector.digest.words[3]
        func verify(_ difficulty: UInt64) -> Int {
            Int(blocminer_verify("cn-pico", vector.input, vector.input.count, 0, difficulty, nil))
        }
        #expect(verify(1) == BLOCMINER_OK)
        #expect(verify(UInt64.max / (word &+ 1)) == BLOCMINER_OK)
        #expect(verify(UInt64.max / word + 1) == BLOCMINER_NO)
        #expect(verify(0) == BLOCMINER_INVALID_ARGUMENT)
    }

    @Test func refusesWhatItCannotHash() throws {
        let vector = try #require(try HashVector.all(of: "cn/1").first)
        #expect(hash(vector, algorithm: "cn/nosuch").status == BLOCMINER_UNKNOWN_ALGORITHM)
        #expect(String(cString: blocminer_last_error()).contains("'cn/nosuch'"))
        var digest = [UInt8](repeating: 0, count: 32)
        #expect(Int(blocminer_hash(nil, vector.input, 76, 0, &digest)) == BLOCMINER_INVALID_ARGUMENT)
        #expect(Int(blocminer_hash("cn/1", nil, 76, 0, &digest)) == BLOCMINER_INVALID_ARGUMENT)
        #expect(Int(blocminer_hash("cn/1", vector.input, 76, 0, nil)) == BLOCMINER_INVALID_ARGUMENT)
        #expect(Int(blocminer_hash("cn/1", vector.input, 3, 0, &digest)) == BLOCMINER_INVALID_ARGUMENT)
        #expect(Int(blocminer_hash("cn/1", vector.input, -1, 0, &digest)) == BLOCMINER_INVALID_ARGUMENT)
    }

    @Test func listsTheAlgorithms() {
        var names: [String] = []
        for number in 0..<blocminer_algorithms() {
            var row = blocminer_algorithm_t()
            row.size = MemoryLayout<blocminer_algorithm_t>.size
            #expect(Int(blocminer_algorithm_at(number, &row)) == BLOCMINER_OK)
            names.append(String(cString: row.name))
            #expect(row.scratchpad_bytes >= 1 << 16 && row.aliases != nil)
        }
        #expect(names.contains("cn-heavy/xhv") && Set(names).count == names.count)
        var row = blocminer_algorithm_t()
        row.size = MemoryLayout<blocminer_algorithm_t>.size
        #expect(Int(blocminer_algorithm_at(names.count, &row)) == BLOCMINER_NO)
        #expect(Int(blocminer_algorithm_at(-1, &row)) == BLOCMINER_NO)
    }

    @Test func namesEveryStatus() {
        let texts = (0...10).map { String(cString: blocminer_status_text($0)) }
        #expect(Set(texts).count == texts.count && !texts.contains("unknown status"))
        #expect(String(cString: blocminer_status_text(4711)) == "unknown status")
        #expect(String(cString: blocminer_version()).split(separator: ".").count == 3)
    }
}
