/// A part of each day: from one time of day on until another, across midnight or not.
package struct HoursOfDay: Sendable, Hashable {
    /// Minutes since midnight, as clocks at the post show them.
    package let from: Int
    package let until: Int

    /// - Parameter text: as in `18:30-05:30`; nil for anything else, and where the two are the same.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        self.init(from: String(ends[0]), until: String(ends[1]))
    }

    /// - Parameters:
    ///   - from: as in `18:30`; it belongs to the part.
    ///   - until: as in `05:30`; it doesn't.
    package init?(from: String, until: String) {
        guard let from = Self.minutes(from), let until = Self.minutes(until), from != until else { return nil }
        (self.from, self.until) = (from, until)
    }

    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// `18:30`
    package static func text(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    /// `18:30-05:30`
    package var text: String { Self.text(from) + "-" + Self.text(until) }

    package func contains(minute: Int) -> Bool {
        from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }

    /// - Parameter offset: of the post's clocks from UTC.
    package func contains(_ instant: Instant, offset: TimeSpan) -> Bool {
        let time = CivilTime(instant, offset: offset)
        return contains(minute: time.hour * 60 + time.minute)
    }
}
