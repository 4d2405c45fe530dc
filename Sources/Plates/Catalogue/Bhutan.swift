extension PlateCountry {
    package static let bhutan = PlateCountry(code: "bt", neighbours: ["in"])
}

/// Bhutan's plates. Source: the Road Safety and Transport Authority's standards and public descriptions of them. The royal family's,
/// the bodyguard's and the army's plates, and the series from before 1990, are not described well enough to be here.
extension PlateFormat {
    package static let bhutan = [bhutanCurrent, bhutanWithoutSeries, bhutanPolice]

    /// Owner, region, series, number: BP-1-A1234. In one row or two.
    private static let bhutanCurrent = PlateFormat(
        name: "bt", country: .bhutan, script: .latin, weight: 0.9,
        slots: [
            Slot(.letters, 2...2, words: Set(bhutanOwners.keys)), Slot(.only(bhutanRegions), 1...1),
            Slot(.letters, 1...1), Slot(.digits, 4...4),
        ],
        grounds: .told(FieldMeaning(slot: 0, bhutanOwners)),
        examples: [
            Example("BP-1-A3649", "BP 1 A 3649", ground: .red), Example("BT-2-A0714", "BT 2 A 0714", ground: .yellow),
            Example("BG-4-B1080", "BG 4 B 1080", ground: .red),
        ])

    /// The same before the series had a letter. Norway has the shape too, and more vehicles.
    private static let bhutanWithoutSeries = PlateFormat(
        name: "bt-old", country: .bhutan, script: .latin, weight: 0.65,
        slots: [
            Slot(.letters, 2...2, words: Set(bhutanOwners.keys)), Slot(.only(bhutanRegions), 1...1),
            Slot(.digits, 4...4),
        ],
        grounds: .told(FieldMeaning(slot: 0, bhutanOwners)),
        examples: [Example("BP-3-2718", "BP 3 2718", ground: .red)])

    /// The Royal Bhutan Police's. Brazil has the shape too, and more vehicles.
    private static let bhutanPolice = PlateFormat(
        name: "bt-police", country: .bhutan, script: .latin, weight: 0.75,
        slots: [Slot(.letters, 3...3, words: ["RBP"]), Slot(.digits, 4...4)], grounds: .among([.blue]),
        examples: [Example("RBP 4096", "RBP 4096", ground: .blue)])

    /// Private in white on red, taxis in black on yellow, the government's in yellow on red. None tells the kind of vehicle.
    private static let bhutanOwners: [String: PlateColour] = ["BP": .red, "BT": .yellow, "BG": .red]

    /// West, centre, south, east.
    private static let bhutanRegions = ["1": "1", "2": "2", "3": "3", "4": "4"]
}
