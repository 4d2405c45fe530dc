/// How many events a road may bring: by the moments at which they were, so that what waited while the box was off comes through, and what
/// chatters doesn't.
struct EventAllowance: Sendable {
    /// In spans of so long so many at most.
    private struct Bound: Sendable {
        let span: TimeSpan
        let most: Int
        var counts: [Int64: Int] = [:]

        mutating func has(_ moment: Instant) -> Bool { counts[key(moment), default: 0] < most }

        mutating func take(_ moment: Instant) {
            counts[key(moment), default: 0] += 1
            // The days that a device can look back on are fewer.
            if counts.count > 64, let oldest = counts.keys.min() { counts[oldest] = nil }
        }

        private func key(_ moment: Instant) -> Int64 { moment.milliseconds / span.milliseconds }
    }

    /// No post has ten vehicles a second for long, and none has twenty thousand a day.
    private var bounds = [
        Bound(span: .seconds(10), most: 100), Bound(span: .hours(1), most: 3000), Bound(span: .hours(24), most: 20_000),
    ]

    /// - Returns: false when there is no room for one more at this moment.
    mutating func take(_ moment: Instant) -> Bool {
        for index in bounds.indices {
            guard bounds[index].has(moment) else { return false }
        }
        for index in bounds.indices { bounds[index].take(moment) }
        return true
    }
}
