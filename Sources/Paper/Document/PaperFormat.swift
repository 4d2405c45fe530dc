/// The paper that is written on.
package struct PaperFormat: Sendable, Equatable {
    package var widthMm: Double

    /// Nil for a roll: the paper is as long as what stands on it.
    package var heightMm: Double?
    package var marginMm: Double

    /// The size of a paragraph's letters, in points of 1/72 inch.
    package var fontPoints: Double

    package static let a4 = PaperFormat(widthMm: 210, heightMm: 297, marginMm: 15, fontPoints: 9.5)

    /// A roll of 58 mm, of which a printer's head reaches 48: 384 dots of an eighth of a millimetre.
    package static let roll58 = PaperFormat(widthMm: 48, heightMm: nil, marginMm: 0, fontPoints: 8.5)

    /// A roll of 80 mm, of which a printer's head reaches 72: 576 dots.
    package static let roll80 = PaperFormat(widthMm: 72, heightMm: nil, marginMm: 0, fontPoints: 9.5)

    /// What is written on, in points.
    var width: Double { Self.points(widthMm) }
    var height: Double? { heightMm.map { Self.points($0) } }
    var margin: Double { Self.points(marginMm) }
    var lineWidth: Double { width - 2 * margin }

    /// Too narrow for two pictures beside each other.
    var isNarrow: Bool { widthMm < 100 }

    static func points(_ millimetres: Double) -> Double { millimetres * 72 / 25.4 }
}
