import Testing

@testable import Plates

@Suite("An alignment of two readings", .timeLimit(.minutes(5)))
struct AlignmentTests {
    private func columns(_ text: String, along template: String) -> [Int?] {
        CharacterAlignment.columns(of: characters(text), along: characters(template))
    }

    private func characters(_ text: String) -> [CharacterAlternatives] {
        text.map { CharacterAlternatives([.init(symbol: String($0), probability: 0.9)]) }
    }

    @Test(arguments: [
        ("ABC", "ABC", [0, 1, 2]), ("AC", "ABC", [0, nil, 1]), ("BC", "ABC", [nil, 0, 1]), ("AB", "ABC", [0, 1, nil]),
        ("AXBC", "ABC", [0, 2, 3]), ("AXC", "ABC", [0, 1, 2]), ("", "ABC", [nil, nil, nil]), ("ABC", "", []),
    ])
    func `gives every column its character, or none`(text: String, template: String, places: [Int?]) {
        #expect(columns(text, along: template) == places)
    }
}
