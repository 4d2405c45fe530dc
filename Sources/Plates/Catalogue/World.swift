extension PlateFormat {
    /// Common shapes of plates elsewhere. A vehicle from far away is rare in the parks; the shapes settle O against 0 and I
    /// against 1, and tell a plate from a slogan. Source: the countries' public rules for private vehicles' plates.
    package static let world: [PlateFormat] = [
        shape("br", "AAA 0000", weight: 0.8), shape("br", "AAA 0A00", weight: 0.75),
        shape("gb", "AA00 AAA", weight: 0.75),
        // Italy, France, Slovakia, Croatia, Serbia.
        shape("eu", "AA 000 AA", weight: 0.8), shape("hr", "AA 0000 AA", weight: 0.7),
        shape("es", "0000 AAA", weight: 0.75),
        // Sweden, Finland, Hungary, Lithuania; many states of the USA.
        shape("eu", "AAA 000", weight: 0.75), shape("us", "000 AAA", weight: 0.7),
        // California, Missouri, Florida, New Jersey, Maryland, Illinois.
        shape("us", "0AAA 000", weight: 0.75), shape("us", "AA0 A0A", weight: 0.7),
        shape("us", "AAA A00", weight: 0.65), shape("us", "A00 AAA", weight: 0.65),
        shape("us", "0AA 0000", weight: 0.65), shape("us", "A00 0000", weight: 0.6),
        shape("us", "0AA 000", weight: 0.65),
        // Norway, Denmark, Poland.
        shape("eu", "AA 00000", weight: 0.7), shape("pl", "AAA 00000", weight: 0.6),
        shape("ro", "AA 00 AAA", weight: 0.7), shape("cz", "0A0 0000", weight: 0.7),
        shape("nl", "00 AAA 0", weight: 0.65), shape("nl", "AA 00 AA", weight: 0.65),
        shape("nl", "00 AA AA", weight: 0.65), shape("be", "0 AAA 000", weight: 0.7),
        PlateFormat(
            name: "de", country: PlateCountry(farAway: "de"), script: .latin, weight: 0.5,
            slots: [Slot(.letters, 2...5), Slot(.digits, 2...4)]),
    ]

    /// - Parameter pattern: A for a letter, 0 for a digit, groups separated by a space: `AAA 0000`.
    private static func shape(_ country: String, _ pattern: String, weight: Double) -> PlateFormat {
        var slots: [Slot] = []
        for group in pattern.split(separator: " ") {
            var rest = Substring(group)
            var isStart = true
            while let kind = rest.first {
                let run = rest.prefix { $0 == kind }
                slots.append(Slot(kind == "A" ? .letters : .digits, run.count...run.count, startsGroup: isStart))
                rest = rest.dropFirst(run.count)
                isStart = false
            }
        }
        return PlateFormat(
            name: "\(country) \(pattern)", country: PlateCountry(farAway: country), script: .latin, weight: weight,
            slots: slots)
    }
}
