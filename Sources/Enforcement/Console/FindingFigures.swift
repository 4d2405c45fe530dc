import Foundation

/// The figures of a finding as people read them: what was measured is never said to be what the limit is.
///
/// 67 min 28 s for 45 km is 40.02 km/h where 40 are allowed, and not 40 km/h; it took 1 h 7 min 28 s where at least
/// 1 h 7 min 30 s are lawful.
package struct FindingFigures: Sendable, Equatable {
    /// How units are written: `h`, `min`, `s`.
    package struct Units: Sendable {
        package var day: String
        package var hour: String
        package var minute: String
        package var second: String

        package init(day: String, hour: String, minute: String, second: String) {
            self.day = day
            self.hour = hour
            self.minute = minute
            self.second = second
        }

        package static let english = Units(day: "d", hour: "h", minute: "min", second: "s")
    }

    /// Nil for no time at all: infinitely fast.
    package let speed: String?
    package let limit: String

    /// How many km/h past the limit were none yet, when it was judged; nil for none. Of km/h and percent the larger counted.
    package let tolerance: String?
    package let took: String

    /// The shortest lawful time for speeding, the longest for overstay.
    package let lawful: String

    package init(_ violation: Violation, units: Units = .english) {
        (speed, limit) = Self.apart(Self.speed(violation), violation.speedLimitKmh)
        let tolerance = abs(violation.thresholdSpeedKmh - violation.speedLimitKmh)
        // Two decimals in both tables make up to four here.
        self.tolerance = tolerance < 0.000_05 ? nil : Self.number(tolerance, decimals: 4)
        let took = violation.travelTime
        let threshold = violation.thresholdMinutes * 60_000
        let lawful = TimeSpan.milliseconds(
            Int64(threshold.rounded(violation.kind == .speeding ? .up : .down)))
        let texts = (Self.text(took, units: units), Self.text(lawful, units: units))
        let isShort = texts.0 != texts.1 || took == lawful
        self.took = isShort ? texts.0 : Self.text(took, units: units, withMilliseconds: true)
        self.lawful = isShort ? texts.1 : Self.text(lawful, units: units, withMilliseconds: true)
    }

    /// The server rounds a speed to four decimals: a few milliseconds too fast would be exactly the limit. Distance and times, of which it is
    /// made, say it as it is, unless the speed is another one altogether.
    private static func speed(_ violation: Violation) -> Double? {
        guard let stored = violation.calculatedSpeedKmh, violation.travelTime.hours > 0 else {
            return violation.calculatedSpeedKmh
        }
        let exact = violation.distanceKm / violation.travelTime.hours
        return abs(exact - stored) <= 0.000_1 ? exact : stored
    }

    /// Two numbers with as many decimals, one at least, as show which is the larger; none where they are zero.
    private static func apart(_ measured: Double?, _ limit: Double) -> (String?, String) {
        guard let measured else { return (nil, number(limit, decimals: 2)) }
        for decimals in 1...9 {
            let texts = (number(measured, decimals: decimals), number(limit, decimals: max(2, decimals)))
            guard let said = Double(texts.0), let bound = Double(texts.1) else { continue }
            if measured == limit || (said > bound && measured > limit) || (said < bound && measured < limit) {
                return texts
            }
        }
        return (number(measured, decimals: 9), number(limit, decimals: 9))
    }

    /// `52.3`, `40`: at most so many decimals, without the zeros at their end.
    package static func number(_ value: Double, decimals: Int) -> String {
        var text = String(format: "%.\(decimals)f", value)
        while text.contains("."), let last = text.last, last == "0" || last == "." {
            text.removeLast()
            if last == "." { break }
        }
        return text
    }

    /// `28 s`, `7 min 28 s`, `1 h 0 min 5 s`, `40 min`: whole seconds, begun ones left out.
    ///
    /// - Parameter withMilliseconds: as far as there are some: `7 min 29.999 s`.
    package static func text(_ span: TimeSpan, units: Units = .english, withMilliseconds: Bool = false) -> String {
        let milliseconds = max(0, span.milliseconds)
        let seconds = milliseconds / 1000
        var parts: [(value: Int64, unit: String)] = []
        if seconds >= 86_400 { parts.append((seconds / 86_400, units.day)) }
        if seconds >= 3600 { parts.append((seconds / 3600 % 24, units.hour)) }
        if seconds >= 60 { parts.append((seconds / 60 % 60, units.minute)) }
        let rest = withMilliseconds ? Double(milliseconds % 60_000) / 1000 : Double(seconds % 60)
        // Zeros between are said, and none at the end: 1 h 0 min 5 s, but 5 h.
        while rest == 0, parts.last?.value == 0 { parts.removeLast() }
        var texts = parts.map { "\($0.value) \($0.unit)" }
        if rest > 0 || texts.isEmpty { texts.append("\(number(rest, decimals: 3)) \(units.second)") }
        return texts.joined(separator: " ")
    }
}
