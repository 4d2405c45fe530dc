extension PlateFormat {
    /// Nepal's plates from before the provinces: zone, lot, class letter, number. In one row or two.
    package static let nepalZonal = PlateFormat(
        name: "np-zonal", country: .nepal, script: .devanagari, weight: 1,
        slots: [
            Slot(.syllables(nepalZones), 1...1), Slot(.digits, 1...2), Slot(NepalClassLetter.symbols, 1...1),
            Slot(.digits, 1...4),
        ],
        vehicleTypes: NepalClassLetter.types(inSlot: 2), grounds: .told(NepalClassLetter.grounds(inSlot: 2)),
        examples: [
            Example("बा १ च १२३४", "BA 1 CHA 1234", type: .car, ground: .red),
            Example("सा ३ पा ७७८", "SA 3 PA 778", type: .motorcycle, ground: .red),
            Example("लु १२ त ९", "LU 12 TA 9", type: .tractor),
            Example("भे ४ य ५०२", "BHE 4 YA 502", ground: .green),
        ])

    /// The fourteen zones. `सा` is a painter's spelling of `स`.
    package static let nepalZones = [
        "मे", "को", "स", "सा", "ज", "बा", "ना", "ग", "लु", "ध", "रा", "भे", "क", "से", "म",
    ]
}
