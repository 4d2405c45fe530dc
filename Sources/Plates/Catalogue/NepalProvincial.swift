extension PlateFormat {
    /// Nepal's plates by province: province, office, lot, class letter, number. In two rows or three, the province as its number
    /// or its name.
    package static let nepalProvincial = PlateFormat(
        name: "np-provincial", country: .nepal, script: .devanagari, weight: 1, prefix: "P",
        slots: [
            Slot(.only(provinceNumbers), 1...1, startsGroup: false), Slot(.digits, 2...2), Slot(.digits, 3...3),
            Slot(NepalClassLetter.symbols, 1...1), Slot(.digits, 1...4),
        ],
        heading: Heading(
            words: ["प्रदेश", "प्रा", "प्र"], numberWords: ["नं", "न", "नम्बर"], names: provinceNames,
            shortNames: provinceShortNames, maximumCharacters: 5),
        vehicleTypes: NepalClassLetter.types(inSlot: 3), grounds: .told(NepalClassLetter.grounds(inSlot: 3)),
        examples: [
            Example("प्रदेश ३-०२ ०१३ प ७१७३", "P3 02 013 PA 7173", type: .motorcycle, ground: .red),
            Example("प्रदेश नं. ५ ०२ ००४ च ३८१९", "P5 02 004 CHA 3819", type: .car, ground: .red),
            Example("बागमती प्रदेश-०२ ०३७ ख १६४३", "P3 02 037 KHA 1643", type: .truck, ground: .black),
            Example("मधेश प्र.-०३ ०१४ झ ९०६२", "P2 03 014 JHA 9062", type: .car, ground: .white),
        ])

    /// The provinces by name, 1 to 7.
    private static let provinceNames = [
        "कोशी": "1", "मधेश": "2", "बागमती": "3", "गण्डकी": "4", "लुम्बिनी": "5", "कर्णाली": "6", "सुदूरपश्चिम": "7",
    ]

    /// What painters shorten and misspell the names to before `प्रदेश`.
    private static let provinceShortNames = [
        "को": "1", "कोशि": "1", "म": "2", "मधेस": "2", "बा": "3", "बाग": "3", "बाग्मती": "3", "बागमति": "3",
        "वागमती": "3", "ग": "4", "गण्ड": "4", "गण्डकि": "4", "लु": "5", "लुम्बि": "5", "लुंबिनी": "5", "लुम्बिनि": "5",
        "क": "6", "कर्ना": "6", "कर्णालि": "6", "सु": "7", "सुदूर": "7", "सुदुरपश्चिम": "7",
    ]

    private static let provinceNumbers = Dictionary(uniqueKeysWithValues: (1...7).map { ("\($0)", "\($0)") })
}
