/// How far past a limit a vehicle may be before it is a violation, in its favour.
///
/// The larger of the two counts, unrounded: 3 km/h and 3 % leave 43 km/h at a limit of 40, and 118.45 km/h at one of 115. Both have two
/// decimals, as the server's tables do. With 0 and 0 the limit itself is the threshold.
package struct Tolerance: Sendable, Equatable {
    package var kmh: Double
    package var percent: Double

    /// The lowest speed with it must stay above zero, and a percentage below a hundred.
    package static let maximumPercent = 99.99

    package init(kmh: Double, percent: Double) {
        self.kmh = kmh
        self.percent = percent
    }

    /// What is wrong with a tolerance that comes from a file or a server; nil when nothing is.
    package static func problem(kmh: Double, percent: Double, minSpeedKmh: Double) -> String? {
        guard kmh >= 0, kmh < minSpeedKmh, wholeHundredths(kmh) < hundredths(minSpeedKmh) else {
            return
                "The tolerance must be at least 0 and below the lowest speed, \(minSpeedKmh) km/h; it is \(kmh) km/h."
        }
        guard percent >= 0, percent <= maximumPercent else {
            return "The tolerance must be from 0 to \(maximumPercent) percent; it is \(percent)."
        }
        return nil
    }

    /// The speed in km/h that is compared with at a highest lawful speed.
    package func threshold(above limitKmh: Double) -> Double { Double(millionths(above: limitKmh)) / 1_000_000 }

    /// The speed in km/h that is compared with at a lowest lawful speed.
    package func threshold(below limitKmh: Double) -> Double { Double(millionths(below: limitKmh)) / 1_000_000 }

    func millionths(above limitKmh: Double) -> Int64 { hundredths(limitKmh) * 10_000 + millionths(of: limitKmh) }

    /// At least one, whatever a broken row holds: it is divided by.
    func millionths(below limitKmh: Double) -> Int64 {
        max(1, hundredths(limitKmh) * 10_000 - millionths(of: limitKmh))
    }

    /// A hundredth of a km/h times a hundredth of a percent is a millionth of a km/h, so nothing is rounded.
    private func millionths(of limitKmh: Double) -> Int64 {
        max(wholeHundredths(kmh) * 10_000, wholeHundredths(percent) * hundredths(limitKmh))
    }
}

/// Whole hundredths of a tolerance, which may be zero.
private func wholeHundredths(_ value: Double) -> Int64 {
    let whole = (value * 100).rounded()
    return whole > 0 ? Int64(min(whole, 1_000_000)) : 0
}
