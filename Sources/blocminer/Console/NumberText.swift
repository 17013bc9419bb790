/// Numbers as people read them: "41.2 H/s", "2 threads", "4 MiB".
enum NumberText {
    /// `value` with so many decimal places.
    static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled.isFinite, scaled < 1e18 else { return value.description }
        let (whole, fraction) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(fraction)
        return "\(sign)\(whole).\(String(repeating: "0", count: max(0, places - digits.count)))\(digits)"
    }

    /// Three digits or more: "0.412", "4.12", "41.2", "412.7", "13412.7".
    static func rate(_ value: Double) -> String {
        decimal(value, places: value == 0 ? 1 : value < 1 ? 3 : value < 10 ? 2 : 1)
    }

    /// A hashrate with its unit.
    static func hashrate(_ hashesPerSecond: Double) -> String { "\(rate(hashesPerSecond)) H/s" }

    /// A size in the largest binary unit that divides it.
    static func bytes(_ count: Int) -> String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where count >= 1 << shift && count % (1 << shift) == 0 {
            return "\(count >> shift) \(unit)"
        }
        return "\(count) \(count == 1 ? "byte" : "bytes")"
    }

    /// "1 thread", "2 threads"; `plural` where it isn't formed by an s.
    static func count(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}

/// Durations as people read them, in their two largest units: "43 ms", "7 s", "3 min 20 s", "2 d 4 h".
enum DurationText {
    static func text(_ duration: Duration) -> String {
        let milliseconds = max(0, duration / .milliseconds(1))
        guard milliseconds >= 999.5 else { return "\(Int(milliseconds.rounded())) ms" }
        guard milliseconds < 9_950 else { return whole(seconds: Int(min(milliseconds / 1000, 1e15).rounded())) }
        let text = NumberText.decimal(milliseconds / 1000, places: 1)
        return "\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) s"
    }

    private static func whole(seconds: Int) -> String {
        let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        var rest = seconds
        let parts = units[first...].prefix(2).compactMap { name, length -> String? in
            let count = rest / length
            rest %= length
            return count == 0 ? nil : "\(count) \(name)"
        }
        return parts.joined(separator: " ")
    }
}
