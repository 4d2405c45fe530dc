import Foundation

/// The `count`-th root of a product of `count` factors: 0.25 of two factors is 0.5.
package func geometricMean(_ product: Double, count: Int) -> Double {
    count > 0 ? pow(max(0, product), 1 / Double(count)) : 0
}
