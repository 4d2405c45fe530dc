extension PlateFormat {
    /// Nepal's zonal plates in Latin letters, painted on one side of a vehicle where those in Devanagari are on the other: the same
    /// plate, `BA 1 HA 4085` for `बा १ ह ४०८५`. In one row or two.
    package static let nepalZonalLatin = PlateFormat(
        name: "np-zonal-latin", country: .nepal, script: .latin, weight: 0.85,
        slots: [
            Slot(.letters, 1...3, words: Set(nepalZones.map(DevanagariAlphabet.latin))),
            Slot(.digits, 1...2, words: latinLots),
            Slot(.letters, 2...3, words: Set(NepalClassLetter.spellings.map(DevanagariAlphabet.latin))),
            Slot(.digits, 1...4),
        ],
        vehicleTypes: NepalClassLetter.types(inSlot: 2), grounds: .told(NepalClassLetter.grounds(inSlot: 2)),
        examples: [
            Example("BA 1 HA 4085", "BA 1 HA 4085", type: .autoRickshaw, ground: .red),
            Example("NA 6 KHA 1957", "NA 6 KHA 1957", type: .truck, ground: .black),
        ])

    /// No lot begins with a zero: `KA 01 HA 4085` is of Karnataka.
    private static let latinLots = Set((1...99).map(String.init))
}
