import Foundation

/// How many of a number were right, with the interval that the true share lies in with 95 % (Wilson 1927).
///
/// Example: 187 of 199 is 94.0 %, 90 to 97.
package struct Share: Encodable, Equatable {
    package var right = 0
    package var count = 0

    package init(right: Int = 0, count: Int = 0) {
        self.right = right
        self.count = count
    }

    package mutating func add(_ isRight: Bool) {
        count += 1
        if isRight { right += 1 }
    }

    package var percent: Double { count > 0 ? 100 * Double(right) / Double(count) : 0 }

    /// In percent.
    package var interval: (low: Double, high: Double) {
        guard count > 0 else { return (0, 100) }
        let z = 1.96
        let n = Double(count)
        let share = Double(right) / n
        let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        let reach = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() / (1 + z * z / n)
        return (100 * max(0, middle - reach), 100 * min(1, middle + reach))
    }

    enum CodingKeys: String, CodingKey {
        case right, count, percent, low, high
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(right, forKey: .right)
        try container.encode(count, forKey: .count)
        try container.encode((percent * 10).rounded() / 10, forKey: .percent)
        try container.encode((interval.low * 10).rounded() / 10, forKey: .low)
        try container.encode((interval.high * 10).rounded() / 10, forKey: .high)
    }
}
