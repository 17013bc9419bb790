/// How far a connection has come in its script.
struct ScriptRun: Sendable {
    /// What the run asks for.
    enum Outcome: Hashable {
        case send([UInt8])
        case close
        case reset
        case finished
        case mismatched(step: Int, line: String)
    }

    private let steps: [ScriptStep]
    private var next = 0
    private var waited = 0
    private var inbox: ArraySlice<String> = []
    private var last = ""
    private var isOver = false

    init(_ steps: [ScriptStep]) { self.steps = steps }

    /// Takes a line, if one came, and does all steps that are possible now.
    mutating func advance(with line: String?) -> [Outcome] {
        guard !isOver else { return [] }
        if let line { inbox.append(line) }
        var outcomes: [Outcome] = []
        while next < steps.count {
            guard let outcome = take(steps[next]) else { return outcomes }
            outcomes += outcome
            if isOver { return outcomes }
            next += 1
        }
        isOver = true
        return outcomes + [.finished]
    }

    /// What a step comes to; nil if it waits.
    private mutating func take(_ step: ScriptStep) -> [Outcome]? {
        switch step {
        case .expect(let text): takeLine { $0.contains(text) }
        case .expectLine(let claim): takeLine(claim)
        case .waitForLines(let count): takeLines(count)
        case .send(let line): [.send(Array(line.utf8) + [10])]
        case .answer(let make): [.send(Array(make(last).utf8) + [10])]
        case .sendBytes(let bytes): [.send(bytes)]
        case .close: [.close]
        case .reset: [.reset]
        case .hold: nil
        }
    }

    private mutating func takeLine(_ claim: (String) -> Bool) -> [Outcome]? {
        guard let line = inbox.popFirst() else { return nil }
        last = line
        guard !claim(line) else { return [] }
        isOver = true
        return [.mismatched(step: next, line: line)]
    }

    private mutating func takeLines(_ count: Int) -> [Outcome]? {
        while waited < count {
            guard let line = inbox.popFirst() else { return nil }
            last = line
            waited += 1
        }
        waited = 0
        return []
    }
}
