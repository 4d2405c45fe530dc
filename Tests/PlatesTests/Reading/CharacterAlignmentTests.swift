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
        // Two at the start cost as much as two anywhere else, and less than one that is taken for another.
        ("BCD", "AABCD", [nil, nil, 0, 1, 2]), ("AABCD", "BCD", [2, 3, 4]), ("ABX", "AB", [0, 1]),
    ])
    func `gives every column its character, or none`(text: String, template: String, places: [Int?]) {
        #expect(columns(text, along: template) == places)
    }

    /// Two gaps cost 1.4: less than two that are next to nothing alike (1.7), more than two that are a little alike (1.2).
    @Test func `leaves a gap where taking one for the other costs more`() {
        func text(_ likeness: Double) -> [CharacterAlternatives] {
            [("B", "A"), ("A", "B")].map { best, other in
                CharacterAlternatives([
                    .init(symbol: best, probability: 0.5), .init(symbol: other, probability: likeness),
                ])
            }
        }
        #expect(CharacterAlignment.columns(of: text(0.15), along: characters("AB")) == [1, nil])
        #expect(CharacterAlignment.columns(of: text(0.4), along: characters("AB")) == [0, 1])
    }
}
