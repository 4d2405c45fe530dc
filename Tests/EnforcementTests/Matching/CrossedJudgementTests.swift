import Enforcement
import Testing

@Suite("A look-alike that both posts judged at once", .timeLimit(.minutes(5)))
struct CrossedJudgementTests {
    private let one = Plate(canonical: "BA 1 PA 1234")
    private let other = Plate(canonical: "BA 1 PA 1284")

    private func takenBack(_ judgement: CrossedJudgement, own: Plate, other: Plate, isOwnEntry: Bool = true) -> Plate? {
        judgement.plateToTakeBack(own: own, other: other, isOwnEntry: isOwnEntry)
    }

    @Test func `is settled by the post of the entry, which takes its plate back`() {
        let judgement = CrossedJudgement(before: one, after: other, wereMatched: true)
        #expect(takenBack(judgement, own: other, other: one) == one)
        #expect(takenBack(judgement, own: other, other: one, isOwnEntry: false) == nil)
    }

    @Test func `is none when only one post judged, or the two were never matched`() {
        let judged = CrossedJudgement(before: one, after: other, wereMatched: true)
        #expect(takenBack(judged, own: other, other: other) == nil)
        #expect(takenBack(judged, own: one, other: one) == nil)
        #expect(takenBack(judged, own: other, other: Plate(canonical: "BA 1 PA 1235")) == nil)
        #expect(takenBack(judged, own: Plate(canonical: "BA 1 PA 1235"), other: one) == nil)
        #expect(
            takenBack(CrossedJudgement(before: one, after: other, wereMatched: false), own: other, other: one) == nil)
    }
}
