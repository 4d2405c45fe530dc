/// India's plates that are not built as the ordinary ones. Source: the Central Motor Vehicles Rules with their
/// amendments of 2021 and 2022, and public descriptions of them. Of the older trade plates and the consuls' no rule was
/// found that says how they are built: they are as on the pictures that are known, of which there are few.
///
/// Each has a letter in a fixed place that no digit is taken for. Left out is what may be a piece of an ordinary plate:
/// `77 CD 1234` of diplomats (UP 77 CD 1234 without its state), `UK 07 TC 123` of older trade plates (UK 07 TC 1234
/// without its end), `MH 14 1234` from before there were series. Left out are temporary plates, `T 1125 UP 0123 A`,
/// since a burnt-in clock bends into one, and the army's, `14B 206513K`, since a telephone number does and the arrow
/// before it isn't read.
extension PlateFormat {
    package static let indiaSpecial = [indiaBharat, indiaTrade, indiaTradeOld, indiaConsular]

    /// Year, BH for all of India, number, series: of private owners who move from state to state, since 2021.
    private static let indiaBharat = PlateFormat(
        name: "in-bharat", country: .india, script: .latin, weight: 0.85,
        slots: [Slot(.digits, 2...2, words: bharatYears)] + fixed("BH")
            + [Slot(.digits, 4...4), Slot(.letters, 1...2, words: bharatSeries)],
        grounds: .among([.white, .green]),
        examples: [Example("22 BH 6517 A", "22 BH 6517 A"), Example("24-BH-0385-KC", "24 BH 0385 KC")])

    /// What a dealer or a maker has not sold yet, since 2022: state, district, class of vehicle, the dealer's number,
    /// TC, the plate's number. The first four alone are an ordinary plate.
    private static let indiaTrade = PlateFormat(
        name: "in-trade", country: .india, script: .latin, weight: 0.85,
        slots: [
            Slot(.letters, 2...2, words: indiaStateCodes), Slot(.digits, 1...2), Slot(oneOf(tradeClasses.keys), 1...1),
            Slot(.digits, 4...4),
        ] + fixed("TC") + [Slot(.digits, 4...4)],
        vehicleTypes: FieldMeaning(slot: 2, tradeClasses), grounds: .among([.red]),
        examples: [
            Example("KA 51 C 0214 TC 0007", "KA 51 C 0214 TC 0007", type: .car, ground: .red),
            Example("MH-14-G-1250-TC-0032", "MH 14 G 1250 TC 0032", type: .truck, ground: .red),
        ])

    /// The same from before: state, district, TC with a letter, number, letter. No digit is taken for the last letter,
    /// so that MH 12 TCK 3185, an ordinary plate, never becomes one.
    private static let indiaTradeOld = PlateFormat(
        name: "in-trade-old", country: .india, script: .latin, weight: 0.7,
        slots: [Slot(.letters, 2...2, words: indiaStateCodes), Slot(.digits, 2...2)] + fixed("TC")
            + [
                Slot(oneOf(seriesLetters), 1...1, startsGroup: false), Slot(.digits, 1...3),
                Slot(oneOf(lettersUnlikeDigits), 1...1),
            ],
        grounds: .among([.red]), examples: [Example("MH 12 TCK 318 K", "MH 12 TCK 318 K", ground: .red)])

    /// Consuls': country, CC, a digit and a letter, number.
    private static let indiaConsular = PlateFormat(
        name: "in-consular", country: .india, script: .latin, weight: 0.7,
        slots: [Slot(.digits, 2...2, words: consularCountries)] + fixed("CC")
            + [
                Slot(.digits, 1...1), Slot(oneOf(seriesLetters), 1...1, startsGroup: false), Slot(.digits, 4...4),
            ],
        grounds: .among([.blue, .yellow]), examples: [Example("04 CC 2B 0163", "04 CC 2B 0163", ground: .blue)])

    /// The years of registration: the first, and as many as a box may live to see.
    private static let bharatYears = Set((21...49).map(String.init))

    /// A to Z, then AA to ZZ.
    private static let bharatSeries = Set(
        seriesLetters + seriesLetters.flatMap { first in seriesLetters.map { first + $0 } })

    /// Motorcycle, invalid carriage, light, medium passenger, medium goods, heavy passenger, heavy goods, electric
    /// rickshaw, any other. I, an electric cart, is left out: a 1 would be taken for it.
    private static let tradeClasses: [String: VehicleType] = [
        "A": .motorcycle, "B": .other, "C": .car, "D": .minibus, "E": .truck, "F": .bus, "G": .truck,
        "H": .autoRickshaw, "J": .other,
    ]

    /// Those with a zero before them, as on the pictures.
    private static let consularCountries = Set((1...9).map { "0\($0)" })

    /// No series has an I or an O, which look like digits.
    private static let seriesLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ".map(String.init)

    /// Those of them that no digit is taken for.
    private static let lettersUnlikeDigits: [String] = {
        let alike = Set((0...9).flatMap { LatinAlphabet.substitutes("\($0)").map(\.0) })
        return seriesLetters.filter { !alike.contains($0) }
    }()

    private static func oneOf(_ letters: some Sequence<String>) -> Symbols {
        .only(Dictionary(uniqueKeysWithValues: letters.map { ($0, $0) }))
    }

    /// Letters that stand on every plate of a kind, in one group.
    private static func fixed(_ letters: String) -> [Slot] {
        letters.enumerated().map { Slot(oneOf([String($1)]), 1...1, startsGroup: $0 == 0) }
    }
}
