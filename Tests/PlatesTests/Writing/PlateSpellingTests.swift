import Testing

@testable import Plates

@Suite("The spelling of a plate as it is painted", .timeLimit(.minutes(5)))
struct PlateSpellingTests {
    @Test(arguments: [
        ("BA 1 PA 1234", "बा१प १२३८", "बा१प१२३४"), ("SA 31 PA 927", "स३१प ९२७", "स३१प९२७"),
        ("SA 2 CHA 4083", "सा२च ४०८३", "सा२च४०८३"), ("KO 3 PA 8814", "को३पा ८८१४", "को३पा८८१४"),
        ("P3 02 037 PA 1643", "बागमतीप्रदेश०२ ०३७प१६४८", "बागमतीप्रदेश०२०३७प१६४३"),
        ("P3 02 031 CHA 5728", "बाप्रदेश०२ ०३१च ५७२८", "बाप्रदेश०२०३१च५७२८"),
        ("P5 02 004 CHA 3819", "प्रदेश५०२ ००४च३८११", "प्रदेश५०२००४च३८१९"),
    ])
    func `is Devanagari, with the province as it was seen`(canonical: String, raw: String, painted: String) {
        #expect(PlateSpelling.painted(Plate(canonical: canonical), raw: raw) == painted)
    }

    @Test(arguments: [
        ("B AC 5763", "BAC5763"), ("UP 32 AB 1234", "UP32A81234"), ("KA 01 PA 1234", "KA01PA1234"),
        ("BA 1 HA 4085", "BA 1 HA 4085"),
    ])
    func `is Latin where Latin was seen`(canonical: String, raw: String) {
        #expect(PlateSpelling.painted(Plate(canonical: canonical), raw: raw) == canonical.filter { $0 != " " })
    }

    @Test func `is Devanagari for a zonal plate that was misread as Latin`() {
        #expect(PlateSpelling.painted(Plate(canonical: "BA 1 PA 1234"), raw: "4T9U") == "बा१प१२३४")
    }

    @Test func `can't be told of a province that wasn't seen, or seen as another, nor of a partial plate`() {
        #expect(PlateSpelling.painted(Plate(canonical: "P3 02 037 PA 1643"), raw: "०३७प१६४३") == nil)
        #expect(PlateSpelling.painted(Plate(canonical: "P3 02 037 PA 1643"), raw: "मधेश०३७प१६४३") == nil)
        #expect(PlateSpelling.painted(Plate(canonical: "P3 02 037 PA 1643"), raw: "बागमती०३७प१६४३") == "बागमती०२०३७प१६४३")
        #expect(PlateSpelling.painted(Plate(canonical: "P3 02 037 PA 1643"), raw: "मधेशप्रदेश०२ ०३७प१६४३") == nil)
        #expect(PlateSpelling.painted(Plate(canonical: "KO ?? PA 403"), raw: "को??प ४०३") == nil)
    }

    @Test(arguments: [
        ("BA 1 PA 1234", "", "बा १ प १२३४"), ("SA 2 CHA 4083", "सा२च ४०८३", "सा २ च ४०८३"),
        ("SA 31 PA 927", "", "स ३१ प ९२७"),
        ("P3 02 037 PA 1643", "", "प्रदेश ३-०२ ०३७ प १६४३"), ("P3 02 037 PA 1643", "मधेशप्रदेश", "प्रदेश ३-०२ ०३७ प १६४३"),
        ("P3 02 037 PA 1643", "बागमतीप्रदेश०२ ०३७प१६४८", "बागमती प्रदेश-०२ ०३७ प १६४३"),
    ])
    func `stands beside the canonical form, the plainest where nothing was seen`(
        canonical: String, raw: String, shown: String
    ) {
        #expect(PlateSpelling.shown(Plate(canonical: canonical), raw: raw) == shown)
    }

    @Test(arguments: ["B AC 5763", "UP 32 AB 1234", "KO ?? PA 403", "HELLO"])
    func `is not made up for a plate in Latin, nor for half a plate`(canonical: String) {
        #expect(PlateSpelling.shown(Plate(canonical: canonical)) == nil)
    }

    @Test func `comes back through the normalizer as the same plate`() throws {
        for zone in PlateFormat.nepalZones {
            for letter in NepalClassLetter.spellings {
                let raw = "\(zone)४१\(letter) ६०५२"
                let plate = try #require(PlateNormalizer.normalize(raw))
                let painted = try #require(PlateSpelling.painted(plate, raw: raw))
                #expect(PlateNormalizer.normalize(painted) == plate, "\(raw) came out as \(painted)")
            }
        }
    }
}
