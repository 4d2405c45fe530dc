import Enforcement

/// How long a server asks to be left alone.
package enum RetryAfter {
    /// Reads seconds (`120`) or a date (`Sun, 22 Nov 2026 01:03:29 GMT`); RFC 9110, section 10.2.3.
    ///
    /// A date is counted from the answer's own `Date`, since the box's clock may be wrong; without one, from `now`.
    ///
    /// - Returns: nil without the field or when it can't be read; else from 0 to ``Verdict/longestRetryAfter``.
    package static func span(_ answer: ServerAnswer, at now: Instant) -> TimeSpan? {
        guard let text = answer.retryAfter?.trimmingSpaces else { return nil }
        if !text.isEmpty, text.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Double(text)
        {
            return min(.seconds(seconds), Verdict.longestRetryAfter)
        }
        guard let moment = Instant(httpDate: text) else { return nil }
        let start = answer.date.flatMap(Instant.init(httpDate:)) ?? now
        return min(max(moment - start, .milliseconds(0)), Verdict.longestRetryAfter)
    }
}

extension Instant {
    /// Reads the date of an HTTP field, in the one form that servers write: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.trimmingSpaces.split(separator: " ").map(String.init)
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2]) else { return nil }
        var dayScanner = DigitScanner(words[1])
        var yearScanner = DigitScanner(words[3])
        var clock = DigitScanner(words[4])
        guard let day = dayScanner.number(2), dayScanner.isAtEnd, let year = yearScanner.number(4), yearScanner.isAtEnd,
            let hour = clock.number(2), clock.skip(":"), let minute = clock.number(2), clock.skip(":"),
            let second = clock.number(2), clock.isAtEnd,
            let instant = CivilTime(
                year: year, month: month + 1, day: day, hour: hour, minute: minute, second: min(second, 59)
            ).instant()
        else { return nil }
        self = instant
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
