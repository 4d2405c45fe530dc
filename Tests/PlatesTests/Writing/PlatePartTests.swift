import Plates
import Testing

@Suite("A part of a plate that somebody types", .timeLimit(.minutes(1)))
struct PlatePartTests {
    @Test(arguments: [
        ("a12", "A12"), (" ba 1-cha ", "BA1CHA"), ("बा १ प", "BA1PA"), ("१२३४", "1234"), ("%12_", "12"),
    ])
    func `is looked for as it is recorded`(typed: String, part: String) {
        #expect(PlatePart.typed(typed) == part)
    }

    @Test func `is nothing where nothing is typed, and in no plate where only symbols are`() {
        #expect(PlatePart.typed("") == nil && PlatePart.typed("   ") == nil)
        for symbols in ["%", "_", "@@@", "''"] {
            #expect((PlatePart.typed(symbols)?.count ?? 0) > PlateNormalizer.maximumCompactLength, "\(symbols)")
        }
        #expect(PlatePart.typed(String(repeating: "B", count: 500)) == String(repeating: "B", count: 40))
    }
}
