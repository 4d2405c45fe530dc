import Enforcement

/// Bars beside each other, drawn with nothing but rectangles: no script, no style of its own, and readable on paper.
///
/// The picture is 600 by 160 units; the tallest bar fills it. Each bar can have two parts, one on top of the other. What the bars say stands
/// in a table too: a drawing is no way to read a number.
package struct BarChart: Sendable, Equatable {
    package struct Bar: Sendable, Equatable {
        package var label: String
        package var value: Int
        /// How much of the value is the upper part.
        package var upper: Int

        package init(label: String, value: Int, upper: Int = 0) {
            self.label = label
            self.value = value
            self.upper = upper
        }
    }

    /// A rectangle, and what a pointer that rests on it is told.
    package struct Shape: Sendable, Equatable {
        package let x: String
        package let y: String
        package let width: String
        package let height: String
        package let isUpper: Bool
        package let title: String
    }

    /// A line across the bars: a limit.
    package struct Mark: Sendable, Equatable {
        /// How many bars stand left of it.
        package var bars: Double
        package var label: String

        package init(bars: Double, label: String) {
            self.bars = bars
            self.label = label
        }
    }

    package let name: String
    package let shapes: [Shape]
    package let first: String
    package let last: String
    package let most: String
    package private(set) var markX: String?
    package private(set) var markLabel: String?

    package static let width = 600.0
    package static let height = 160.0

    /// - Parameter unit: stands behind each value: ` km/h`.
    package init(_ name: String, _ bars: [Bar], _ texts: Texts, unit: String = "", mark: Mark? = nil) {
        let highest = max(0, bars.map(\.value).max() ?? 0)
        let most = max(1, highest)
        let step = Self.width / Double(max(1, bars.count))
        self.name = name
        self.most = texts("chart_most", ["count": "\(highest)" + unit])
        first = bars.first?.label ?? ""
        last = bars.count > 1 ? bars.last?.label ?? "" : ""
        shapes = bars.enumerated().flatMap { index, bar in
            let title = "\(bar.label): " + texts.digits("\(bar.value)") + unit
            let whole = Self.height * Double(max(0, bar.value)) / Double(most)
            let upper = Self.height * Double(min(max(0, bar.upper), bar.value)) / Double(most)
            return [(whole - upper, Self.height - whole + upper, false), (upper, Self.height - whole, true)]
                .filter { $0.0 > 0 }.map { height, top, isUpper in
                    Shape(
                        x: Self.number(step * (Double(index) + 0.1)), y: Self.number(top),
                        width: Self.number(step * 0.8), height: Self.number(height), isUpper: isUpper, title: title)
                }
        }
        guard let mark, !bars.isEmpty else { return }
        markX = Self.number(step * min(max(0, mark.bars), Double(bars.count)))
        markLabel = mark.label
    }

    private static func number(_ value: Double) -> String { FindingFigures.number(value, decimals: 2) }
}
