import Foundation

/// A line through log odds: what a confidence should have been (Platt 1999).
package struct LogitCurve: Encodable, Equatable {
    package var shift = 0.0
    package var slope = 1.0

    private static let pull = 1.0

    init() {}

    /// The likeliest line, drawn a little towards what was said so that few answers don't bend it far.
    init(fitting answers: [(confidence: Double, isRight: Bool)]) {
        let points = answers.map { (x: Self.logit($0.confidence), y: $0.isRight ? 1.0 : 0.0) }
        // Newton's method: two unknowns, a few steps, each halved until it is one uphill.
        for _ in 0..<50 {
            let step = step(points)
            var length = 1.0
            while length > 1e-6, moved(step, length).likelihood(points) < likelihood(points) { length /= 2 }
            self = moved(step, length)
        }
    }

    private func moved(_ step: (shift: Double, slope: Double), _ length: Double) -> LogitCurve {
        var moved = self
        moved.shift += length * step.shift
        moved.slope += length * step.slope
        return moved
    }

    /// The logarithm of how likely the answers are, less what being drawn costs.
    private func likelihood(_ points: [(x: Double, y: Double)]) -> Double {
        points.reduce(-Self.pull / 2 * (shift * shift + (slope - 1) * (slope - 1))) { sum, point in
            let z = shift + slope * point.x
            return sum - log1p(exp(point.y > 0.5 ? -z : z))
        }
    }

    private func step(_ points: [(x: Double, y: Double)]) -> (shift: Double, slope: Double) {
        var gradient = (-Self.pull * shift, -Self.pull * (slope - 1))
        var curvature = (Self.pull, 0.0, Self.pull)
        for point in points {
            let p = 1 / (1 + exp(-(shift + slope * point.x)))
            let weight = p * (1 - p)
            gradient.0 += point.y - p
            gradient.1 += (point.y - p) * point.x
            curvature.0 += weight
            curvature.1 += weight * point.x
            curvature.2 += weight * point.x * point.x
        }
        let determinant = curvature.0 * curvature.2 - curvature.1 * curvature.1
        guard determinant > 1e-9 else { return (0, 0) }
        return (
            (curvature.2 * gradient.0 - curvature.1 * gradient.1) / determinant,
            (curvature.0 * gradient.1 - curvature.1 * gradient.0) / determinant
        )
    }

    func probability(_ confidence: Double) -> Double { 1 / (1 + exp(-(shift + slope * Self.logit(confidence)))) }

    private static func logit(_ confidence: Double) -> Double {
        let bounded = max(0.001, min(0.999, confidence))
        return log(bounded / (1 - bounded))
    }
}
