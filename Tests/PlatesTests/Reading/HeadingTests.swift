import Plates
import Testing

@Suite("The words at a plate's head", .timeLimit(.minutes(5)))
struct HeadingTests {
    @Test func `are one province, however often and in whatever order they were read`() {
        func all(_ text: [String]) -> [CharacterAlternatives] {
            text.map { CharacterAlternatives([.init(symbol: $0, probability: 0.9)]) }
        }
        func read(_ text: [String]) -> String {
            FormatMatcher().withoutHeadings(all(text), script: .devanagari).map(\.best).joined()
        }
        #expect(read(["बागमती", "बागमती", "प्रदेश", "०", "२"]) == "३०२")
        #expect(read(["प्रदेश", "बागमती", "०", "२"]) == "३०२")
        #expect(read(["बागमती", "०", "प्रदेश", "०", "२"]) == "३०२")
        #expect(read(["लु", "प्र", "०", "२"]) == "५०२")
        #expect(read(["प्रदेश", "३", "०", "२"]) == "३०२")
        #expect(read(["बा", "१", "प", "२"]) == "बा१प२")
    }

    @Test func `are left as they are in Latin`() {
        let latin = ["B", "A", "1"].map { CharacterAlternatives([.init(symbol: $0, probability: 0.9)]) }
        #expect(FormatMatcher().withoutHeadings(latin, script: .latin) == latin)
    }
}
