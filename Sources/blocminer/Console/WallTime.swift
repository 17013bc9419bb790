import Glibc

/// A moment of the calendar.
struct WallTime: Sendable, Hashable {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    let secondsSince1970: Int

    /// This moment.
    static var now: WallTime { WallTime(secondsSince1970: Glibc.time(nil)) }

    /// Local time of day: "21:37:02".
    var timeOfDay: String { Self.timeOfDay(local) }

    /// Local date and time of day: "2025-11-30 21:37:02".
    var dateAndTime: String { "\(Self.date(local)) \(Self.timeOfDay(local))" }

    /// Date and time by ISO 8601, in UTC: "2025-11-30T20:37:02Z".
    var iso8601: String { "\(Self.date(utc))T\(Self.timeOfDay(utc))Z" }

    private var local: tm {
        var seconds = secondsSince1970
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private var utc: tm {
        var seconds = secondsSince1970
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return parts
    }

    private static func date(_ parts: tm) -> String {
        "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))"
    }

    private static func timeOfDay(_ parts: tm) -> String {
        [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
