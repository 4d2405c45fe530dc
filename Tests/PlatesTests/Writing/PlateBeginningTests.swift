import Testing

@testable import Plates

@Suite("What may come next in a plate that is typed", .timeLimit(.minutes(5)))
struct PlateBeginningTests {
    private static let digits = (0...9).map(String.init)
    private static let latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)

    private func next(_ text: String, _ keys: [String] = digits + latin, in country: String? = "np") -> String {
        PlateBeginning.keys(keys, after: text, in: country).joined()
    }

    @Test(arguments: [
        // A zone, its lot, a class letter, a number, in Latin and painted.
        ("BA 1 CHA 12", "0123456789"), ("BA 1 CH", "A"), ("P", "1234567"), ("P3 02", "0123456789"),
        ("P3 02 013 P", "AH"),
    ])
    func `is what some format of the country has at that place`(text: String, keys: String) {
        let found = Set(next(text))
        // India's and Bhutan's vehicles come every day as well, so that the letters may be more.
        #expect(Set(keys).isSubset(of: found), "\(text): \(next(text))")
    }

    @Test func `steps back for digits where a letter must stand, and for letters where a digit must`() {
        #expect(!next("").contains("7"))
        #expect(!next("P3 0").contains("A") && next("P3 0").contains("2"))
        #expect(!next("BA 1 CHA 12").contains("Q"))
    }

    @Test func `is known of painted plates too, sign by sign and word by word`() {
        let keys = ["क", "ख", "च", "प", "ब", "य", "ट", "ा", "े", "प्रदेश", "१", "२"]
        func next(_ text: String) -> [String] { PlateBeginning.keys(keys, after: text, in: "np") }
        #expect(next("").contains("ब") && next("").contains("प्रदेश") && !next("").contains("ट"))
        #expect(next("ब").contains("ा") && !next("ब").contains("१"))
        #expect(next("बा").contains("१") && !next("बा").contains("च"))
        #expect(next("बा १").contains("च") && !next("बा १").contains("ट"))
        #expect(next("प्रदेश ").contains("१") && !next("प्रदेश ").contains("च"))
        // There are seven provinces.
        #expect(next("प्रदेश ७ ").contains("१") && !next("प्रदेश ७ ").contains("च"))
        #expect(next("बागमती ").contains("प्रदेश"))
        #expect(next("बागमती प्रदेश ०२ ०१३ ").contains("प") && !next("बागमती प्रदेश ०२ ०१३ ").contains("२"))
    }

    @Test(arguments: ["P3 02 013 PA 7173", "ÄÖ", "ZZZZ 99999 Q", String(repeating: "A", count: 500), "प्रदेश ९"])
    func `is anything where the text fits nothing that is known`(text: String) {
        #expect(next(text).count == 36)
        #expect(next("BA", in: nil).count == 36 && next("BA", in: "fr").count == 36)
    }

    @Test func `never steps back for what a plate of the country goes on with`() {
        for format in PlateFormat.covered where format.isUsual(in: "np") {
            for example in format.examples {
                for text in [example.canonical, example.painted].map({ Array($0.unicodeScalars) }) {
                    for end in text.indices
                    where text[end].properties.isAlphabetic || text[end].properties.numericType != nil {
                        let before = String(String.UnicodeScalarView(text[..<end]))
                        let found = PlateBeginning.keys([String(text[end]), "Q", "ङ"], after: before, in: "np")
                        #expect(found.contains(String(text[end])), "\(example): \(text[end]) after \(before)")
                    }
                }
            }
        }
    }
}
