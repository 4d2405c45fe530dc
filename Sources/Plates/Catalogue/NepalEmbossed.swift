extension PlateFormat {
    /// Nepal's embossed plates: category, series, number. Issued since 2017, for every new vehicle since 2025. The province stands
    /// above in small letters and isn't read. Without its spaces, such a plate looks like many from abroad.
    package static let nepalEmbossed = PlateFormat(
        name: "np-embossed", country: .nepal, script: .latin, weight: 0.8,
        slots: [
            Slot(.only(categoryLetters), 1...1), Slot(.letters, 2...2), Slot(.digits, 1...4),
        ],
        vehicleTypes: FieldMeaning(slot: 0, embossedCategories), isToldBySpaces: true,
        examples: [
            Example("B AC 5763", "B AC 5763", type: .car), Example("K XY 7", "K XY 7", type: .motorcycle),
        ])

    /// The categories, which say nothing of the owner: F is minibus and mini truck, G truck and bus, D a power tiller, E a tractor,
    /// H to J construction and special vehicles, K a scooter.
    private static let embossedCategories: [String: VehicleType] = [
        "A": .motorcycle, "B": .car, "C": .autoRickshaw, "D": .tractor, "E": .tractor, "F": .minibus, "G": .truck,
        "H": .other, "I": .other, "J": .other, "K": .motorcycle,
    ]

    private static let categoryLetters = Dictionary(uniqueKeysWithValues: embossedCategories.keys.map { ($0, $0) })
}
