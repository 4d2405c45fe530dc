import Foundation
import Testing

@testable import Plates

@Suite("A vote of readings, to the figure", .timeLimit(.minutes(5)))
struct CharacterVoteFigureTests {
    private func character(_ alternatives: KeyValuePairs<String, Double>) -> CharacterAlternatives {
        CharacterAlternatives(alternatives.map { .init(symbol: $0.key, probability: $0.value) })
    }

    private func ballot(_ characters: [CharacterAlternatives], _ confidence: Double) -> CharacterVote.Ballot {
        CharacterVote.Ballot(characters: characters, confidence: confidence)
    }

    private func plain(_ text: String, _ confidence: Double) -> CharacterVote.Ballot {
        ballot(text.map { character([String($0): 0.9]) }, confidence)
    }

    private func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 }

    @Test func `counts a sure reading nine times a poor one`() {
        #expect(isNear(CharacterVote.weight(confidence: 0.9), 9 * CharacterVote.weight(confidence: 0.3)))
        #expect(isNear(CharacterVote.weight(confidence: 1), 1))
    }

    @Test func `of one reading is that reading`() throws {
        let column = try #require(CharacterVote.columns([ballot([character(["A": 0.9, "4": 0.1])], 0.6)]).first)
        #expect(isNear(column.probability(of: "A"), 0.9) && isNear(column.probability(of: "4"), 0.1))
        #expect(column.alternatives.map(\.symbol) == ["A", "4"])
    }

    /// The weighted mean of the logarithms, sharpened by the square root of how many agree; what one reading never thought of has a
    /// hundredth there.
    @Test func `weighs, sharpens and rules nothing out`() throws {
        let ballots = [
            ballot([character(["A": 0.98, "B": 0.02])], 0.9), ballot([character(["B": 0.9])], 0.3),
        ]
        let column = try #require(CharacterVote.columns(ballots).first)
        func power(_ sure: Double, _ poor: Double) -> Double {
            exp((0.81 * log(sure) + 0.09 * log(poor)) / 0.9 * 2.0.squareRoot())
        }
        let (a, b) = (power(0.98, 0.01), power(0.02, 0.9))
        let presence = (0.81 * 1 + 0.09 * 0.9) / 0.9
        #expect(isNear(column.probability(of: "A"), presence * a / (a + b)))
        #expect(isNear(column.probability(of: "B"), presence * b / (a + b)))
    }

    @Test func `makes no smudge legible, however many agree on it`() throws {
        let smudge = ballot([character(["A": 0.3])], 0.5)
        let column = try #require(CharacterVote.columns([smudge, smudge, smudge]).first)
        #expect(isNear(column.probability(of: "A"), 0.3))
    }

    @Test func `leaves out what has less than a thousandth`() throws {
        let sure = ballot([character(["A": 0.9, "B": 0.001])], 0.8)
        let two = try #require(CharacterVote.columns([sure, sure]).first)
        let four = try #require(CharacterVote.columns([sure, sure, sure, sure]).first)
        #expect(two.alternatives.map(\.symbol) == ["A", "B"] && two.probability(of: "B") < 0.002)
        #expect(four.alternatives.map(\.symbol) == ["A"])
    }

    @Test func `has the length that the readings find likeliest together, of equal ones the shorter`() {
        func text(_ ballots: [CharacterVote.Ballot]) -> String {
            CharacterVote.columns(ballots).map(\.best).joined()
        }
        #expect(text([plain("ABC", 0.3), plain("ABC", 0.3), plain("ABCD", 0.9)]) == "ABCD")
        #expect(text([plain("ABC", 0.6), plain("ABC", 0.6), plain("ABCD", 0.7)]) == "ABC")
        #expect(text([plain("ABC", 0.5), plain("ABCD", 0.5)]) == "ABC")
        #expect(CharacterVote.columns([]).isEmpty)
    }

    @Test func `lays the others along the surest of that length`() {
        let columns = CharacterVote.columns([plain("XBCD", 0.3), plain("ABCD", 0.9), plain("BCD", 0.4)])
        #expect(columns.map(\.best).joined() == "ABCD")
        // The short one says nothing of the first character, and agrees on the rest.
        #expect(columns[0].probability(of: "X") > 0 && columns[1].alternatives.count == 1)
    }

    @Test func `of readings that nobody trusts says nothing`() {
        #expect(CharacterVote.columns([plain("AB", 0)]).map(\.alternatives.count) == [0, 0])
    }
}
