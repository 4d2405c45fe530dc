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
        self.init(milliseconds: wholeMilliseconds(seconds))
    }

    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let key = CodingUserInfoKey.momentsAsText, encoder.userInfo[key] != nil {
            try container.encode(iso8601)
        } else {
            try container.encode(milliseconds)
        }
    }

    /// Seconds since 1970-01-01T00:00:00Z, rounded down: what an SMS carries.
    package var epochSeconds: Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package static func + (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds.addingWithinBounds(span.milliseconds))
    }

    package static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds.subtractingWithinBounds(span.milliseconds))
    }

    package static func - (left: Instant, right: Instant) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds.subtractingWithinBounds(right.milliseconds))
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
        TimeSpan(milliseconds: wholeMilliseconds(count))
    }
    package static func minutes(_ count: Double) -> TimeSpan { seconds(count * 60) }
    package static func hours(_ count: Double) -> TimeSpan { seconds(count * 3600) }

    package var seconds: Double { Double(milliseconds) / 1000 }
    package var minutes: Double { seconds / 60 }
    package var hours: Double { seconds / 3600 }

    /// Rounded: what every text about a span is made of, so that two places never show one span differently.
    package var wholeSeconds: Int { Int((Double(milliseconds) / 1000).rounded()) }

    /// This span doubled so many times, at most `longest`: how pauses grow. A negative number of times is none.
    package func doubled(_ times: Int, atMost longest: TimeSpan) -> TimeSpan {
        min(.seconds(seconds * Double(1 << min(max(times, 0), 40))), longest)
    }

    package var magnitude: TimeSpan { TimeSpan(milliseconds: Int64(clamping: milliseconds.magnitude)) }

    package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds.subtractingWithinBounds(right.milliseconds))
    }

    package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// Seconds as whole milliseconds. What no `Int64` holds becomes the nearest that one does, and no number becomes 0: a broken
/// clock or a broken setting must not stop the box.
private func wholeMilliseconds(_ seconds: Double) -> Int64 {
    let value = (seconds * 1000).rounded()
    if value.isNaN { return 0 }
    return Int64(exactly: value) ?? (value < 0 ? .min : .max)
}

extension Int64 {
    /// The sum, or the bound that it goes beyond: a time that wrapped around would sort before all others.
    func addingWithinBounds(_ other: Int64) -> Int64 {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }

    func subtractingWithinBounds(_ other: Int64) -> Int64 {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .max : .min) : difference
    }
}
