/// Text with some of it bold or of another size.
package struct PaperText: Sendable, Equatable, ExpressibleByStringInterpolation {
    package struct Run: Sendable, Equatable {
        package var text: String
        package var isBold: Bool

        /// Times the document's size: 1 is the size of a paragraph.
        package var scale: Double
    }

    package var runs: [Run]

    package init(_ text: String, isBold: Bool = false, scale: Double = 1) {
        runs = [Run(text: text, isBold: isBold, scale: scale)]
    }

    package init(stringLiteral text: String) { self.init(text) }

    package static func bold(_ text: String, scale: Double = 1) -> PaperText {
        PaperText(text, isBold: true, scale: scale)
    }

    package static func + (left: PaperText, right: PaperText) -> PaperText {
        var sum = left
        sum.runs += right.runs
        return sum
    }

    package var plain: String { runs.map(\.text).joined() }
}
