extension PlateFormat {
    /// Anything else in Latin letters and digits. Plates without a digit are a driver's choice, five letters to seven; longer ones
    /// are words.
    package static let generalLatin = PlateFormat(
        name: "latin", country: nil, script: .latin, weight: 0.4, slots: [Slot(.lettersOrDigits, 4...9)],
        lengthsWithoutDigit: 5...7, examples: [Example("7X1Y2W", "7 X 1 Y 2 W")])
}
