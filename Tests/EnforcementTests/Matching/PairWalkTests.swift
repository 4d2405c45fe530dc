import Foundation
import Testing

@testable import Enforcement

@Suite("A walk through a plate's passages", .timeLimit(.minutes(5)))
struct PairWalkTests {
    private let walk = PairWalk(window: .hours(24))

    /// A passage at so many minutes, matched with that of another number.
    private func step(
        _ id: Int, at post: String, minute: Int64, with partner: Int? = nil, isKept: Bool = false
    ) -> PairWalk.Step {
        PairWalk.Step(
            passage("BA1CHA1234", at: post, ms: minute * 60_000, id: id), partner: partner.map(identity), isKept: isKept
        )
    }

    private func identity(_ id: Int) -> UUID { passage("BA1CHA1234", ms: 0, id: id).clientID }

    /// `parted | joined`, by their numbers.
    private func decided(at minute: Int64, _ steps: PairWalk.Step...) -> String {
        func number(_ id: UUID) -> String { id.uuidString.suffix(2).description }
        let decision = walk.decide(around: passage("BA1CHA1234", ms: minute * 60_000).recordedAt, among: steps)
        return decision.parted.map(number).joined(separator: " ") + " | "
            + decision.joined.map { number($0.entry.clientID) + "-" + number($0.exit.clientID) }.joined(separator: " ")
    }

    @Test func `parts a pair that another passage came between, and pairs that one`() {
        let (entry, exit) = (step(1, at: "A", minute: 0, with: 3), step(3, at: "B", minute: 90, with: 1))
        #expect(decided(at: 20, entry, step(2, at: "A", minute: 20), exit) == "01 03 | 02-03")
        #expect(decided(at: 80, entry, step(4, at: "B", minute: 80), exit) == "01 03 | 01-04")
        #expect(decided(at: 0, entry, exit) == " | ")
    }

    @Test func `keeps a pair whose other passage is not known here, as one that is kept`() {
        let free = step(2, at: "B", minute: 90)
        #expect(decided(at: 90, step(1, at: "A", minute: 0, with: 9), free) == " | ")
        #expect(decided(at: 90, step(1, at: "A", minute: 0, isKept: true), free) == " | ")
        #expect(decided(at: 90, step(1, at: "A", minute: 0), free) == " | 01-02")
    }

    @Test func `joins what is left when a passage is gone, from the run before it to the run after`() {
        let (entry, exit) = (step(1, at: "A", minute: 0), step(3, at: "B", minute: 90))
        #expect(decided(at: 40, entry, exit) == " | 01-03")
        #expect(
            decided(at: 40, step(5, at: "A", minute: -3000), entry, exit, step(6, at: "B", minute: 5000)) == " | 01-03")
        // Runs further away are none of its business.
        let far = [step(7, at: "A", minute: 9000), step(8, at: "B", minute: 9090)]
        #expect(decided(at: 40, entry, exit, step(6, at: "B", minute: 5000), far[0], far[1]) == " | 01-03")
        #expect(decided(at: 9040, entry, exit, step(6, at: "B", minute: 5000), far[0], far[1]) == " | 07-08")
        #expect(decided(at: 0) == " | ")
    }

    @Test func `goes by the post of equal times, and by the greater number at one post`() {
        #expect(decided(at: 0, step(1, at: "B", minute: 0), step(2, at: "A", minute: 0)) == " | 02-01")
        #expect(
            decided(at: 90, step(1, at: "A", minute: 0), step(2, at: "B", minute: 90), step(3, at: "B", minute: 90))
                == " | 01-03")
    }
}
