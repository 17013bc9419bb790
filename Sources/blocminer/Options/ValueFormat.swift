/// Why an option's value is refused: what follows "option '--threads': ".
struct ValueRefusal: Error, Hashable {
    let reason: String

    /// There is none.
    static let empty = ValueRefusal(reason: "the value is empty")
}

/// The longest user, password or rig's name, in bytes: no pool takes more in a line with the rest of a login.
let longestLoginText = 2048

/// How an option's value is written: what help calls it, and how it is read.
struct ValueFormat<Value>: Sendable {
    /// Stands for the value in help, such as "N".
    let placeholder: String
    /// Every value there is, where they can be listed.
    let choices: [String]
    /// Reads a value, or says what is allowed instead.
    let read: @Sendable (String) throws(ValueRefusal) -> Value

    init(
        _ placeholder: String,
        choices: [String] = [],
        read: @escaping @Sendable (String) throws(ValueRefusal) -> Value
    ) {
        self.placeholder = placeholder
        self.choices = choices
        self.read = read
    }
}

extension ValueFormat<String> {
    /// Any text but none. It is never quoted in a message, so that it may be a secret.
    static func text(_ placeholder: String) -> Self {
        ValueFormat(placeholder) { text throws(ValueRefusal) in
            guard !text.isEmpty else { throw .empty }
            return text
        }
    }

    /// A user, a password or a name that a pool is sent. It is never quoted in a message.
    static func loginText(_ placeholder: String, mayBeEmpty: Bool = false) -> Self {
        ValueFormat(placeholder) { text throws(ValueRefusal) in
            guard mayBeEmpty || !text.isEmpty else { throw .empty }
            return try checkedLoginText(text)
        }
    }

    /// `text`, which a pool can take in a login.
    static func checkedLoginText(_ text: String) throws(ValueRefusal) -> String {
        guard text.utf8.count <= longestLoginText else {
            throw ValueRefusal(reason: "the value has \(text.utf8.count) bytes; \(longestLoginText) are possible")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValueRefusal(reason: "the value contains a control character")
        }
        return text
    }
}

extension ValueFormat<Int> {
    /// A whole number in `range`, which ends there for the `reason` given.
    static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "N", because reason: String? = nil) -> Self {
        ValueFormat(placeholder) { text throws(ValueRefusal) in
            guard isDigits(text), let number = Int(text), range.contains(number) else {
                let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
                throw .notAllowed(text, allowed + (reason.map { ": \($0)" } ?? ""))
            }
            return number
        }
    }
}

extension ValueFormat<Int> {
    /// A number of bytes, with K, M, G or T for powers of 1024.
    static let bytes = ValueFormat("SIZE") { text throws(ValueRefusal) in
        let units = ["K": 10, "M": 20, "G": 30, "T": 40]
        let shift = text.last.flatMap { units[$0.uppercased()] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard isDigits(digits), let number = Int(digits), number > 0, number <= Int.max >> (shift ?? 0) else {
            throw .notAllowed(text, "a size in bytes, or with K, M, G or T, as in 512M")
        }
        return number << (shift ?? 0)
    }
}

extension ValueFormat<[Int]> {
    /// Whole numbers in `range`, separated by commas.
    static func integers(_ range: ClosedRange<Int>, _ placeholder: String = "LIST") -> Self {
        ValueFormat(placeholder) { text throws(ValueRefusal) in
            var numbers: [Int] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard isDigits(part), let number = Int(part), range.contains(number) else {
                    let allowed = "\(range.lowerBound) to \(range.upperBound)"
                    throw .notAllowed(text, "a list of whole numbers from \(allowed), as in 1,2,4")
                }
                if !numbers.contains(number) { numbers.append(number) }
            }
            return numbers
        }
    }
}

extension ValueFormat<UInt64> {
    /// A block height.
    static let height = ValueFormat("H") { text throws(ValueRefusal) in
        guard isDigits(text), let number = UInt64(text) else {
            throw .notAllowed(text, "a block height, which is a whole number from 0 to \(UInt64.max)")
        }
        return number
    }
}

extension ValueFormat<Double> {
    /// A number of seconds in `range`, whole or with a decimal point.
    static func seconds(_ range: ClosedRange<Int>) -> Self {
        ValueFormat("S") { text throws(ValueRefusal) in
            let allowed = Double(range.lowerBound)...Double(range.upperBound)
            let isDecimal = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || isDigit($0) }
            guard isDecimal, let seconds = Double(text), allowed.contains(seconds) else {
                throw .notAllowed(text, "a number of seconds from \(range.lowerBound) to \(range.upperBound)")
            }
            return seconds
        }
    }
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the words of an enumeration.
    static func choice(_ placeholder: String) -> Self {
        let words = Value.allCases.map(\.rawValue)
        return ValueFormat(placeholder, choices: words) { text throws(ValueRefusal) in
            guard let value = Value(rawValue: text.lowercased()) else {
                throw .notAllowed(text, "one of \(words.joined(separator: ", "))")
            }
            return value
        }
    }
}

private func isDigit(_ character: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) }

private func isDigits(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isDigit) }
