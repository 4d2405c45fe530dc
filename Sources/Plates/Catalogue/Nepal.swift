extension PlateCountry {
    package static let nepal = PlateCountry(code: "np", neighbours: ["in"])
}

/// What Nepal's painted plates share: the class letter, which tells the kind of vehicle and its owner.
///
/// Source: the public descriptions of the Department of Transport Management's zonal and provincial plates. The meanings of the
/// class letters are from weaker sources; a letter that several kinds share gives the commonest of them.
package enum NepalClassLetter {
    private struct Letter {
        var letter: String
        var type: VehicleType?
        var ground: PlateColour?

        init(_ letter: String, _ type: VehicleType?, _ ground: PlateColour?) {
            self.letter = letter
            self.type = type
            self.ground = ground
        }

        var latin: String { DevanagariAlphabet.latin(letter) }
    }

    private static let letters = [
        // Heavy and medium: private, public, government, corporation.
        Letter("क", .truck, .red), Letter("ख", .truck, .black), Letter("ग", .truck, .white),
        Letter("घ", .truck, .yellow),
        // Light.
        Letter("च", .car, .red), Letter("ज", .car, .black), Letter("झ", .car, .white), Letter("ञ", .car, .yellow),
        // Two wheels.
        Letter("प", .motorcycle, .red), Letter("फ", .motorcycle, .black), Letter("ब", .motorcycle, .white),
        Letter("म", .motorcycle, .yellow),
        // Three wheels: private and public.
        Letter("ह", .autoRickshaw, .red), Letter("थ", .autoRickshaw, .black),
        // A tractor, whoever owns it; a tourist's vehicle, whatever it is.
        Letter("त", .tractor, nil), Letter("य", nil, .green),
    ]

    /// Written for `प` now and then.
    private static let painters = ["पा"]

    package static let spellings = letters.map(\.letter) + painters
    static let symbols = PlateFormat.Symbols.syllables(spellings)

    static func types(inSlot slot: Int) -> FieldMeaning<VehicleType> {
        FieldMeaning(slot: slot, values(\.type))
    }

    static func grounds(inSlot slot: Int) -> FieldMeaning<PlateColour> {
        FieldMeaning(slot: slot, values(\.ground))
    }

    private static func values<Value>(_ trait: (Letter) -> Value?) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: letters.compactMap { letter in trait(letter).map { (letter.latin, $0) } })
    }
}
