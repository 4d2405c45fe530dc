extension PlateCountry {
    package static let india = PlateCountry(code: "in", neighbours: ["np"])
}

extension PlateFormat {
    /// India's plates: state, district, series, number. White, yellow, black or green, by owner and engine.
    package static let india = PlateFormat(
        name: "in", country: .india, script: .latin, weight: 0.9,
        slots: [
            Slot(.letters, 2...2, words: indiaStateCodes), Slot(.digits, 1...2), Slot(.letters, 1...3),
            Slot(.digits, 4...4),
        ],
        grounds: .among([.white, .yellow, .black, .green]),
        examples: [
            Example("UP 32 AB 1234", "UP 32 AB 1234"), Example("DL-3-CAM-0857", "DL 3 CAM 0857"),
        ])

    /// The codes of the states and territories, as they stand on plates.
    static let indiaStateCodes: Set<String> = [
        "AN", "AP", "AR", "AS", "BR", "CG", "CH", "DD", "DL", "DN", "GA", "GJ", "HP", "HR", "JH", "JK", "KA", "KL",
        "LA",
        "LD", "MH", "ML", "MN", "MP", "MZ", "NL", "OD", "OR", "PB", "PY", "RJ", "SK", "TN", "TR", "TS", "TG", "UA",
        "UK",
        "UP", "WB",
    ]
}
