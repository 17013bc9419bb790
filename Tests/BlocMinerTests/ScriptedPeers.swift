import LoopbackPool

/// Steps of scripted pools that mine with the quickest variant.
enum PoolScript {
    /// A hashing blob in which `byte` tells it from others.
    static func blob(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        let pair = digits.count == 1 ? "0" + digits : digits
        return String(repeating: pair, count: 39) + "00000000" + String(repeating: "07", count: 33)
    }

    /// A job; about one hash in two meets the easy target, and none the hard one.
    static func job(_ id: String, byte: UInt8, algorithm: String? = "cn/upx2", isHard: Bool = false) -> String {
        let target = isHard ? "0100000000000000" : "ffffff7f"
        let named = algorithm.map { #","algo":"\#($0)""# } ?? ""
        return #"{"blob":"\#(blob(byte))","job_id":"\#(id)","target":"\#(target)"\#(named)}"#
    }

    /// Takes a login and answers it with `job`.
    static func login(_ job: String, session: String = "s") -> [ScriptStep] {
        [
            .expect("login"),
            .answer { line in
                #"{"id":\#(id(of: line)),"error":null,"result":{"id":"\#(session)","job":\#(job),"status":"OK"}}"#
            },
        ]
    }

    /// Takes a request and answers it with `error`, or without one.
    static func answer(_ error: String? = nil) -> [ScriptStep] {
        [
            .waitForLines(1),
            .answer { line in
                let outcome = error.map { #""error":{"code":-1,"message":"\#($0)"}"# } ?? #""result":{"status":"OK"}"#
                return #"{"id":\#(id(of: line)),\#(outcome)}"#
            },
        ]
    }

    /// The number of a request.
    static func id(of line: String) -> String { line.firstMatch(of: /"id":(\d+)/).map { String($0.1) } ?? "0" }

    /// What `member` of a submit says.
    static func member(_ name: String, of line: String) -> String? {
        line.firstRange(of: "\"\(name)\":\"").map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
