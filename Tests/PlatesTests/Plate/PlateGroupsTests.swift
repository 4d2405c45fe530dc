import Testing

@testable import Plates

@Suite("A plate's spaces", .timeLimit(.minutes(5)))
struct PlateGroupsTests {
    @Test(arguments: [
        ("GAD2957", "C AD 2957", "G AD 2957"), ("GAD2957", "CAD 2957", "GAD 2957"),
        ("BA1PA1234", "8A 1 PA 1234", "BA 1 PA 1234"), ("BA12PA4", "BA 1 CHA 2345", "BA12PA4"),
    ])
    func `are those of the plate that somebody read`(compact: String, read: String, spelled: String) {
        #expect(Plate(canonical: compact).spelled(like: Plate(canonical: read)).canonical == spelled)
    }

    @Test(arguments: [
        ("GAD2957", "G AD 2957"), ("G AD 2957", "G AD 2957"), ("gad 2957", "GAD 2957"), ("ba1pa1234", "BA 1 PA 1234"),
        ("P302013PA7173", "P3 02 013 PA 7173"), ("UP32AB1234", "UP 32 AB 1234"), ("XYZ123", "XYZ 123"),
    ])
    func `are kept where another system tells them, else the park's formats know them`(told: String, spelled: String) {
        #expect(Plate(told: told)?.canonical == spelled)
    }

    @Test(arguments: ["", "  ", String(repeating: "A", count: 33)])
    func `make no plate of nothing`(told: String) {
        #expect(Plate(told: told) == nil)
    }
}
