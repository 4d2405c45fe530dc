/// A country that issues plates.
package struct PlateCountry: Sendable, Hashable {
    /// Two letters of ISO 3166, lower-case: `np`. Shapes that several countries of Europe share say `eu`.
    package let code: String

    /// Countries whose vehicles cross its roads every day, as theirs are crossed by its own; naming one side is enough.
    package let neighbours: Set<String>

    /// Whether the catalogue has all its kinds of plates, each with a number: then what fits none of them is a sticker, a slogan
    /// or a vehicle from far away.
    package let isCovered: Bool

    package init(code: String, neighbours: Set<String>) {
        self.code = code
        self.neighbours = neighbours
        isCovered = true
    }

    /// A country of which the catalogue has common shapes only.
    package init(farAway code: String) {
        self.code = code
        neighbours = []
        isCovered = false
    }

    /// The countries that the catalogue covers, by code.
    private static let covered = Dictionary(
        PlateFormat.covered.compactMap(\.country).map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    package static func isCovered(_ code: String) -> Bool { covered[code] != nil }

    /// Whether its vehicles are met every day in the country of that code, which is covered.
    fileprivate func isUsual(in code: String) -> Bool {
        self.code == code || neighbours.contains(code)
            || Self.covered[code]?.neighbours.contains(self.code) == true
    }
}

extension PlateFormat {
    /// Whether a vehicle with such a plate is met every day in `country`.
    ///
    /// Always so where the formats don't cover the country's plates, or no country is known.
    package func isUsual(in country: String?) -> Bool {
        guard let country, PlateCountry.isCovered(country) else { return true }
        return self.country?.isUsual(in: country) ?? false
    }
}
