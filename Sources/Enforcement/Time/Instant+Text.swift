extension Instant {
    /// `2026-11-21T10:15:30.250Z`: how programs get a time.
    package var iso8601: String {
        let time = CivilTime(self)
        return "\(time.dateText)T\(time.clockText).\(padded(time.millisecond, 3))Z"
    }

    /// `2026-11-21 16:00:30` in Nepal: how people get a time.
    package var nepalText: String {
        let time = CivilTime(self, offset: CivilTime.nepalOffset)
        return "\(time.dateText) \(time.clockText)"
    }

    /// For names of files, which sort by it: `20261123T030000Z`.
    package var fileStamp: String { iso8601.prefix(19).filter { $0.isNumber || $0 == "T" } + "Z" }

    /// Reads `2026-11-21T10:15:30Z`, with an optional fraction and with `Z`, `+05:45` or `+0545` at the end.
    ///
    /// - Returns: nil for anything else, a time without an offset among it: a guess at the offset could be hours off.
    package init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(2),
            scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"), let second = scanner.number(2)
        else { return nil }
        let millisecond = scanner.skip(".") ? scanner.fractionMilliseconds() : 0
        guard let millisecond, let offset = scanner.offset(), scanner.isAtEnd else { return nil }
        let time = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        guard let instant = time.instant(offset: offset) else { return nil }
        self = instant
    }
}

extension CivilTime {
    /// `2026-11-21`
    package var dateText: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    /// `16:00:30`
    package var clockText: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }

    /// Reads a day as `2026-11-21`; nil for anything else and for days that don't exist.
    package init?(day text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard instant() != nil else { return nil }
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Takes numbers of a known width and punctuation from the front of a text.
package struct DigitScanner {
    private var rest: Substring.UTF8View

    package init(_ text: String) {
        rest = text[...].utf8
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The next `width` characters as a number, or nil when they aren't all digits.
    package mutating func number(_ width: Int) -> Int? {
        var value = 0
        var taken = rest
        for _ in 0..<width {
            guard let digit = taken.first, (48...57).contains(digit) else { return nil }
            value = value * 10 + Int(digit) - 48
            taken = taken.dropFirst()
        }
        rest = taken
        return value
    }

    package mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == mark.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// One to nine digits after a decimal point, as milliseconds: `25` is 250.
    mutating func fractionMilliseconds() -> Int? {
        var value = 0
        var digits = 0
        while digits < 9, let digit = number(1) {
            if digits < 3 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<max(digits, 3) { value *= 10 }
        return value
    }

    /// `Z`, `+05:45` or `+0545`.
    package mutating func offset() -> TimeSpan? {
        if skip("Z") || skip("z") { return .milliseconds(0) }
        let sign: Double
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = number(2), hours <= 14, minutes < 60 else { return nil }
        return .minutes(sign * Double(hours * 60 + minutes))
    }
}
