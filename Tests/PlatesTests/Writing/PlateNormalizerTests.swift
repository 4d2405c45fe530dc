import Testing

@testable import Plates

@Suite("A plate normalizer", .timeLimit(.minutes(5)))
struct PlateNormalizerTests {
    @Test(arguments: [
        ("बा १ च १२३४", "BA 1 CHA 1234"), ("ba1cha 1234", "BA 1 CHA 1234"), ("BA-1-CHA-1234", "BA 1 CHA 1234"),
        ("बा१च१२३४", "BA 1 CHA 1234"), ("सा ३ पा ७७८", "SA 3 PA 778"), ("भे १ ञ ५", "BHE 1 YAN 5"),
        ("ध १२ झ ९०", "DHA 12 JHA 90"), ("को २६ प ५१९३", "KO 26 PA 5193"),
    ])
    func `reads zonal plates in either script`(text: String, canonical: String) {
        #expect(PlateNormalizer.normalize(text)?.canonical == canonical)
    }

    @Test(arguments: [
        ("प्रदेश ३-०२ ०१३ प ७१७३", "P3 02 013 PA 7173"), ("बागमती प्रदेश-०२ ०१३ प ७१७३", "P3 02 013 PA 7173"),
        ("बा. प्रदेश-०२ ०१३ प ७१७३", "P3 02 013 PA 7173"), ("मधेश प्र.-०३ ०२३ प ९९१७", "P2 03 023 PA 9917"),
        ("P3 02 013 PA 7173", "P3 02 013 PA 7173"), ("p302013pa7173", "P3 02 013 PA 7173"),
        ("सुदूरपश्चिम प्रदेश ०१ ००१ च १", "P7 01 001 CHA 1"), ("गण्डकी प्रदेश ०१ ००१ च १", "P4 01 001 CHA 1"),
        ("लुम्बिनी प्रदेश ०१ ००१ च १", "P5 01 001 CHA 1"), ("कर्णाली प्रदेश ०१ ००१ च १", "P6 01 001 CHA 1"),
        ("कोशी प्रदेश ०१ ००१ च १", "P1 01 001 CHA 1"),
    ])
    func `reads provincial plates by number and by name alike`(text: String, canonical: String) {
        #expect(PlateNormalizer.normalize(text)?.canonical == canonical)
    }

    @Test(arguments: [
        ("B AC 5763", "B AC 5763"), ("BAC5763", "BAC 5763"), ("UP 32 AB 1234", "UP 32 AB 1234"),
        ("up32ab1234", "UP 32 AB 1234"), ("DL3CAM0857", "DL 3 CAM 0857"), ("rk 019 af", "RK 019 AF"),
    ])
    func `reads embossed, Indian and general plates`(text: String, canonical: String) {
        #expect(PlateNormalizer.normalize(text)?.canonical == canonical)
    }

    @Test func `keeps every zone and every class letter`() {
        let zones = [
            "मे": "ME", "को": "KO", "स": "SA", "सा": "SA", "ज": "JA", "बा": "BA", "ना": "NA", "ग": "GA", "लु": "LU",
            "ध": "DHA", "रा": "RA", "भे": "BHE", "क": "KA", "से": "SE", "म": "MA",
        ]
        let letters = [
            "क": "KA", "ख": "KHA", "ग": "GA", "घ": "GHA", "च": "CHA", "ज": "JA", "झ": "JHA", "ञ": "YAN", "त": "TA",
            "थ": "THA", "प": "PA", "पा": "PA", "फ": "PHA", "ब": "BA", "म": "MA", "य": "YA", "ह": "HA",
        ]
        #expect(Set(PlateFormat.nepalZones) == Set(zones.keys))
        #expect(Set(NepalClassLetter.spellings) == Set(letters.keys))
        for (zone, zoneLatin) in zones {
            for (letter, letterLatin) in letters {
                let plate = PlateNormalizer.normalize("\(zone) १२ \(letter) ३४५६")
                #expect(plate?.canonical == "\(zoneLatin) 12 \(letterLatin) 3456")
            }
        }
    }

    @Test func `loses no other letter either`() {
        #expect(DevanagariAlphabet.latin("गण्डकी") == "GANNDDAKI")
        #expect(DevanagariAlphabet.latin("सुदूर") == "SUDURA")
        for scalar in "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहअआइउएओ".unicodeScalars {
            #expect(!DevanagariAlphabet.latin(String(scalar)).isEmpty)
        }
    }

    @Test(arguments: [
        ("BA1PA12?4", "BA 1 PA 12?4"), ("BA1PA????", "BA 1 PA????"), ("?A1PA1234", "?A 1 PA 1234"),
        ("BA?PA1234", "BA?PA 1234"), ("AB12?CD", "AB 12? CD"),
    ])
    func `leaves a gap with what is read beside it`(compact: String, canonical: String) {
        #expect(PlateNormalizer.canonical(compact: compact) == canonical)
        #expect(Plate(told: compact)?.canonical == canonical)
    }

    @Test func `compares plates without their spaces`() {
        #expect(Plate(canonical: "BA 1 PA 1234") == Plate(canonical: "BA1PA1234"))
        #expect(PlateNormalizer.normalize("BAC5763") == PlateNormalizer.normalize("B AC 5763"))
    }

    @Test(arguments: ["", "   ", "--", "!?", String(repeating: "A", count: 17), String(repeating: "अ", count: 300)])
    func `finds no plate in nothing and in far too much`(text: String) {
        #expect(PlateNormalizer.normalize(text) == nil)
    }

    @Test(arguments: [(198, nil), (199, TypedPlateError.tooLong)] as [(Int, TypedPlateError?)])
    func `finds a typed plate in up to two hundred characters, blanks among them`(blanks: Int, error: TypedPlateError?)
    {
        let text = String(repeating: " ", count: blanks)
        if let error {
            #expect(throws: error) { try PlateNormalizer.plate(typed: text + "AB") }
            #expect(throws: error, "nothing is said of what stands in it") {
                try PlateNormalizer.plate(typed: text + "  ")
            }
        } else {
            #expect((try? PlateNormalizer.plate(typed: text + "AB").compact) == "AB")
            #expect(throws: TypedPlateError.tooShort) { try PlateNormalizer.plate(typed: text + "  ") }
        }
    }

    @Test(arguments: ["BA:1:PA:12:34", "BA/1/PA/12/34", "BA 1 PA 12@34"])
    func `takes no sign beside the digits for one`(text: String) {
        #expect(PlateNormalizer.normalize(text)?.canonical == "BA 1 PA 1234")
    }

    @Test func `knows what looks alike`() {
        #expect(LookAlike.areOneApart("BA1PA1234", "BA1PA1235"))
        #expect(!LookAlike.areOneApart("BA1PA1234", "BA1PA1238"))
        #expect(!LookAlike.areOneApart("BA1PA1234", "BA1PA1234"))
        #expect(!LookAlike.areOneApart("BA1PA123", "BA1PA1234"))
        #expect(LookAlike.folded("QOI01") == "00101")
    }
}
