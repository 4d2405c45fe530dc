/// A moment, as whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Every stored time is one of these. The domain never asks for the current one: shells pass it in.
package struct Instant: Hashable, Comparable, Codable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment `seconds` after 1970-01-01T00:00:00Z.
    package init(seconds: Double) {
        self.init(milliseconds: Int64((seconds * 1000).rounded()))
    }

    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Seconds since 1970-01-01T00:00:00Z, rounded down: what an SMS carries.
    package var epochSeconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package static func + (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds &+ span.milliseconds)
    }

    package static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds &- span.milliseconds)
    }

    package static func - (left: Instant, right: Instant) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds &- right.milliseconds)
    }
}

/// A length of time in whole milliseconds; negative when it runs backwards.
package struct TimeSpan: Hashable, Comparable, Codable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count) }
    package static func seconds(_ count: Double) -> TimeSpan {
        TimeSpan(milliseconds: Int64((count * 1000).rounded()))
    }
    package static func minutes(_ count: Double) -> TimeSpan { seconds(count * 60) }
    package static func hours(_ count: Double) -> TimeSpan { seconds(count * 3600) }

    package var seconds: Double { Double(milliseconds) / 1000 }
    package var minutes: Double { seconds / 60 }
    package var hours: Double { seconds / 3600 }
    package var magnitude: TimeSpan { TimeSpan(milliseconds: abs(milliseconds)) }

    package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
