extension PlateFormat {
    /// Nepal's zonal plates: `बा १ च १२३४`, BA 1 CHA 1234.
    package static let nepalZonal = PlateFormat(
        name: "np-zonal", country: "np", script: .devanagari, weight: 1,
        slots: [
            Slot(.only(DevanagariAlphabet.zones), 1...1), Slot(.digits, 1...2),
            Slot(.only(DevanagariAlphabet.classes), 1...1), Slot(.digits, 1...4),
        ])

    /// Nepal's provincial plates, the province already read as its number: `३ ०२ ०१३ प ७१७३`, P3 02 013 PA 7173.
    package static let nepalProvincial = PlateFormat(
        name: "np-provincial", country: "np", script: .devanagari, weight: 1, prefix: "P",
        slots: [
            Slot(.only(provinceDigits), 1...1, startsGroup: false), Slot(.digits, 2...2), Slot(.digits, 3...3),
            Slot(.only(DevanagariAlphabet.classes), 1...1), Slot(.digits, 1...4),
        ])

    /// Nepal's embossed plates: `B AC 5763`. The category letter gives the kind of vehicle.
    package static let nepalEmbossed = PlateFormat(
        name: "np-embossed", country: "np", script: .latin, weight: 0.8,
        slots: [
            Slot(.only(letters("ABCDEFGHIJK")), 1...1), Slot(.letters, 2...2), Slot(.digits, 1...4),
        ])

    /// India's plates: `UP 32 AB 1234`.
    package static let india = PlateFormat(
        name: "in", country: "in", script: .latin, weight: 0.9, openings: indiaStateCodes,
        slots: [
            Slot(.letters, 2...2), Slot(.digits, 1...2), Slot(.letters, 1...3), Slot(.digits, 4...4),
        ])

    /// Anything else in Latin letters and digits.
    package static let generalLatin = PlateFormat(
        name: "latin", country: nil, script: .latin, weight: 0.4, slots: [Slot(.lettersOrDigits, 4...9)])

    package static let all = [nepalZonal, nepalProvincial, nepalEmbossed, india] + world + [generalLatin]

    /// The countries whose plates the formats cover wholly, and whose vehicles cross each other's roads every day.
    private static let coveredCountries: Set<String> = ["np", "in"]

    /// Whether a vehicle with such a plate is met every day in `country`.
    ///
    /// Always so where the formats don't cover the country's plates, or no country is known.
    package func isUsual(in country: String?) -> Bool {
        guard let country, Self.coveredCountries.contains(country) else { return true }
        return self.country.map(Self.coveredCountries.contains) ?? false
    }

    private static let provinceDigits = Dictionary(
        uniqueKeysWithValues: (1...7).map { (String($0), String($0)) })

    private static func letters(_ set: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: set.map { (String($0), String($0)) })
    }

    /// The codes of India's states and territories, as they stand on plates.
    private static let indiaStateCodes: Set<String> = [
        "AN", "AP", "AR", "AS", "BR", "CG", "CH", "DD", "DL", "DN", "GA", "GJ", "HP", "HR", "JH", "JK", "KA", "KL",
        "LA",
        "LD", "MH", "ML", "MN", "MP", "MZ", "NL", "OD", "OR", "PB", "PY", "RJ", "SK", "TN", "TR", "TS", "TG", "UA",
        "UK",
        "UP", "WB",
    ]
}
