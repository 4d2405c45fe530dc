import Testing

@testable import Plates

@Suite("A plate of India that is not built as the ordinary ones", .timeLimit(.minutes(5)))
struct IndiaTests {
    private static let names = Set(PlateFormat.indiaSpecial.map(\.name))

    private func best(_ text: String, country: String? = nil, colour: PlateColour? = nil) -> FormatMatcher.Result? {
        FormatMatcher(country: country).match(
            text.map { CharacterAlternatives([.init(symbol: String($0), probability: 0.95)]) }, script: .latin,
            colour: colour
        ).first
    }

    @Test(arguments: [
        ("22BH65I7A", "22 BH 6517 A", "in-bharat"), ("24BHO385KC", "24 BH 0385 KC", "in-bharat"),
        ("KA5IC0214TC0OO7", "KA 51 C 0214 TC 0007", "in-trade"), ("UP7G1250TC0032", "UP 7 G 1250 TC 0032", "in-trade"),
        ("MHI2TCK3I8K", "MH 12 TCK 318 K", "in-trade-old"), ("AP39TCA7R", "AP 39 TCA 7 R", "in-trade-old"),
        ("O4CC2BOI63", "04 CC 2B 0163", "in-consular"),
    ])
    func `is known wherever the post stands, with what fonts draw alike`(
        text: String, canonical: String, format: String
    ) throws {
        for country in [nil, "in", "np"] {
            let result = try #require(best(text, country: country))
            #expect(result.plate.canonical == canonical)
            #expect(result.format.name == format)
        }
    }

    @Test(arguments: [
        ("20BH6517A", "a year before there were any"), ("22BA6517A", "a series of no country"),
        ("22BH651A", "a short number"), ("22BH6517", "no letter at its end"), ("22BH65171", "a digit at its end"),
        ("22BH6517I", "a letter that no series has"),
    ])
    func `of all India is nothing else`(text: String, why: Comment) {
        for country in [nil, "in"] { #expect(best(text, country: country)?.format.name == "latin", why) }
    }

    @Test(arguments: [
        ("QA51C0214TC0007", "no state"), ("KA51K0214TC0007", "no class"), ("KA5110214TC0007", "a digit for the class"),
        ("KA51C0214TC007", "a short number"), ("KA51C0214TL0007", "not TC"), ("MH12TCK318", "no letter at its end"),
        ("MH12TC318K", "no letter after TC"), ("MH12TLK318K", "not TC"), ("QH12TCK318K", "no state"),
        ("MH1TCK318K", "one digit for the district"), ("32CC2B0163", "a district's number"), ("04CD2B0163", "not CC"),
    ])
    func `of a dealer or a consul is nothing else`(text: String, why: Comment) {
        for country in [nil, "in"] { #expect(best(text, country: country) == nil, why) }
    }

    @Test(arguments: [
        ("UP32BH6517", "UP 32 BH 6517"), ("UP22CC0163", "UP 22 CC 0163"), ("DL3CCB0163", "DL 3 CCB 0163"),
        ("KA51C0214", "KA 51 C 0214"), ("UK07TC1234", "UK 07 TC 1234"), ("MH12TCK3185", "MH 12 TCK 3185"),
        // Its last digit was read as a letter.
        ("MH12TCK318S", "MH 12 TCK 3185"),
    ])
    func `takes nothing away from the ordinary ones`(text: String, canonical: String) throws {
        for country in [nil, "in", "np"] {
            let result = try #require(best(text, country: country))
            #expect(result.plate.canonical == canonical)
            #expect(result.format.name == "in")
        }
    }

    /// Diplomats', plates without a series and older trade plates look like what an ordinary one leaves when an end
    /// of it isn't read.
    @Test(arguments: ["77CD1234", "07CC1234", "MH141234", "UK07TC123", "KA51TC12", "22BH1234", "TC0007"])
    func `is not what a piece of another plate looks like`(text: String) throws {
        for country in [nil, "in"] {
            let name = try #require(best(text, country: country)?.format.name)
            #expect(!Self.names.contains(name) && name != "in")
        }
    }

    /// Clocks in the picture, telephone numbers, and the temporary and army plates that a format would confuse with
    /// these.
    @Test(arguments: [
        "20261121041530", "211120260415", "15062026103224", "110420074958", "9812345678", "9801234561", "977984123000",
        "T1125UP0123A", "14B206513K",
    ])
    func `is no number that stands beside the road`(text: String) {
        for country in [nil, "in", "np"] { #expect(best(text, country: country) == nil) }
    }

    @Test func `is met every day in India, Nepal and Bhutan, and has the ground of its kind`() throws {
        for format in PlateFormat.indiaSpecial {
            for country in ["in", "np", "bt"] { #expect(format.isUsual(in: country), "\(format.name)") }
        }
        for (text, ground) in [("22BH6517A", PlateColour.white), ("MH12TCK318K", .red), ("04CC2B0163", .blue)] {
            let right = try #require(best(text, country: "in", colour: ground))
            let wrong = try #require(best(text, country: "in", colour: ground == .red ? .yellow : .red))
            #expect(right.plate == wrong.plate && wrong.score < right.score)
        }
    }

    @Test(arguments: [
        ("A", VehicleType.motorcycle), ("B", .other), ("C", .car), ("D", .minibus), ("E", .truck), ("F", .bus),
        ("G", .truck), ("H", .autoRickshaw), ("J", .other),
    ])
    func `of a dealer tells the class of the vehicle`(letter: String, type: VehicleType) {
        let plate = Plate(canonical: "KA 51 \(letter) 0214 TC 0007")
        #expect(VehicleType.guess(of: plate, format: "in-trade") == type)
    }

    @Test(arguments: [
        ("22bh6517a", "22 BH 6517 A"), ("ka-51-c-0214-tc-0007", "KA 51 C 0214 TC 0007"),
        ("mh12tck318k", "MH 12 TCK 318 K"), ("04cc2b0163", "04 CC 2B 0163"),
        // Others keep their spaces between letters and digits.
        ("20bh6517a", "20 BH 6517 A"), ("mh12tck318s", "MH 12 TCK 318 S"),
    ])
    func `is understood when it is typed`(text: String, canonical: String) {
        #expect(PlateNormalizer.normalize(text)?.canonical == canonical)
    }
}
