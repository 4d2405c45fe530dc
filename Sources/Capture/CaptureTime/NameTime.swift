import Enforcement

/// Finds the time stamp that a camera put into a file's name, wherever in the name it stands.
///
/// | name | read as |
/// | --- | --- |
/// | `BNP-A_20261121T101530.250Z.jpg` | UTC |
/// | `20261121_101530.jpg`, `20261121101530.jpg`, `2026-11-21_10-15-30.jpg` | the camera's offset |
/// | `2026-11-21T10-15-30.250+0545.jpg` | its own offset |
/// | `PXL_20261121_101530250.jpg` | with milliseconds |
/// | `cam1-1795255530250.jpg` | 13 digits: milliseconds since 1970, UTC |
///
/// Only years 2000 to 2099 count, so that serial numbers aren't taken for dates.
enum NameTime {
    static func find(in name: String, offset: TimeSpan) -> Instant? {
        let bytes = Array(name.utf8.prefix(255))
        for start in bytes.indices where isDigit(bytes[start]) && (start == 0 || !isDigit(bytes[start - 1])) {
            var reader = NameTimeReader(bytes[start...])
            if let instant = reader.epochMilliseconds() ?? reader.calendar(offset: offset) { return instant }
        }
        return nil
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

/// Reads one stamp from the front of a piece of a name.
private struct NameTimeReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    func epochMilliseconds() -> Instant? {
        let digits = rest.prefix { isDigit($0) }
        guard digits.count == 13 else { return nil }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1) - 48 }
        let instant = Instant(milliseconds: value)
        return (2000..<2100).contains(CivilTime(instant).year) ? instant : nil
    }

    mutating func calendar(offset: TimeSpan) -> Instant? {
        guard let year = number(4), (2000..<2100).contains(year) else { return nil }
        skip("-_.")
        guard let month = number(2) else { return nil }
        skip("-_.")
        guard let day = number(2) else { return nil }
        let hasT = skip("Tt")
        if !hasT { skip("_- .") }
        guard let hour = number(2) else { return nil }
        skip("-_:.")
        guard let minute = number(2) else { return nil }
        skip("-_:.")
        guard let second = number(2), let millisecond = fraction() else { return nil }
        let time = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        return time.instant(offset: ownOffset(afterT: hasT) ?? offset)
    }

    private mutating func number(_ width: Int) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(width)
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    @discardableResult private mutating func skip(_ marks: String) -> Bool {
        guard let first = rest.first, marks.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// `.250`, or three digits straight after the seconds. Nil when other digits follow: then the whole is no time stamp.
    private mutating func fraction() -> Int? {
        let direct = rest.prefix { isDigit($0) }
        if !direct.isEmpty { return direct.count == 3 ? number(3) : nil }
        guard let point = rest.first, point == 46 || point == 44 else { return 0 }
        let digits = rest.dropFirst().prefix { isDigit($0) }
        guard (1...9).contains(digits.count) else { return 0 }
        rest = rest.dropFirst(1 + digits.count)
        let three = Array(digits.prefix(3)) + [48, 48].prefix(max(0, 3 - digits.count))
        return three.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    /// `Z`, `+0545` or `+05:45`. A minus is an offset only after a date written with `T`, and only with the minutes that offsets have:
    /// elsewhere `-0100` is the number of a picture.
    private mutating func ownOffset(afterT: Bool) -> TimeSpan? {
        if let first = rest.first, first == 0x5A || first == 0x7A {
            let next = rest.dropFirst().first
            let isLetter = next.map { (65...90).contains($0 & 0xDF) } ?? false
            return isLetter ? nil : .milliseconds(0)
        }
        guard let sign = rest.first, sign == 0x2B || (sign == 0x2D && afterT) else { return nil }
        rest = rest.dropFirst()
        guard let hours = number(2) else { return nil }
        skip(":")
        guard let minutes = number(2), hours <= 14, [0, 15, 30, 45].contains(minutes),
            !(rest.first.map(isDigit) ?? false)
        else { return nil }
        return .minutes(Double((hours * 60 + minutes) * (sign == 0x2B ? 1 : -1)))
    }
}
