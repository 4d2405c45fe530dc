/// So many at once, and so many a second after that: a bucket that fills by itself.
///
/// Of 100 at once and 10 a second: 100 are taken in the first moment, and one each 0.1 s from then on.
package struct Allowance: Sendable, Equatable {
    private let most: Double
    private let perSecond: Double
    private var left: Double
    private var lookedAt: Instant?

    package init(atOnce most: Int, perSecond: Double) {
        self.most = Double(most)
        self.perSecond = perSecond
        left = Double(most)
    }

    /// Takes some: the last may be more than are left. A clock that stands still or goes back brings none.
    ///
    /// - Returns: false when none is left.
    @discardableResult
    package mutating func take(_ amount: Int = 1, at now: Instant) -> Bool {
        if let lookedAt { left = min(most, left + max(0, (now - lookedAt).seconds) * perSecond) }
        lookedAt = now
        guard left >= 1 else { return false }
        left -= Double(amount)
        return true
    }
}
