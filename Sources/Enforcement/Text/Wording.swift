import Foundation

/// How quantities are written for people, the same in a message, an alarm and a table.
package enum Wording {
    /// `12` for a whole number, `0.25` for another.
    package static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    package static func decimal(_ value: Double, _ digits: Int = 1) -> String {
        String(format: "%.\(digits)f", value)
    }

    /// `1 photo`, `3 photos`.
    package static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }

    /// `1 h 07 min`, `42 min`, `12 s`.
    package static func span(_ span: TimeSpan) -> String {
        let seconds = span.wholeSeconds
        if seconds >= 3600 { return "\(seconds / 3600) h " + String(format: "%02d", seconds / 60 % 60) + " min" }
        return seconds >= 60 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    package static func bytes(_ count: Int) -> String {
        count >= 1 << 30
            ? decimal(Double(count) / Double(1 << 30)) + " GB"
            : count >= 1 << 20 ? decimal(Double(count) / Double(1 << 20)) + " MB" : "\((count + 1023) / 1024) kB"
    }
}
