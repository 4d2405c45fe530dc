import Foundation
import Testing

@testable import Enforcement

@Suite("Wishes for the other post's pictures", .timeLimit(.minutes(5)))
struct PictureWishesTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)
    private let passage = UUID()

    @Test func `are asked for at once, and again with growing pauses`() {
        var wishes = PictureWishes()
        #expect(wishes.want(passage, at: start) == nil)
        #expect(wishes.next(at: start) == passage)
        wishes.answered(passage, .notYet, at: start)
        #expect(wishes.want(passage, at: start) == .notYet)
        #expect(wishes.next(at: start + .seconds(4)) == nil)
        #expect(wishes.next(at: start + .seconds(5)) == passage)
        wishes.answered(passage, .silent, at: start + .seconds(5))
        #expect(wishes.next(at: start + .seconds(14)) == nil)
        #expect(wishes.next(at: start + .seconds(15)) == passage)
    }

    @Test func `end when the picture is here, or nobody has looked for an hour`() {
        var wishes = PictureWishes()
        wishes.want(passage, at: start)
        wishes.answered(passage, .here, at: start)
        #expect(wishes.count == 0)
        wishes.want(passage, at: start)
        wishes.answered(passage, .notYet, at: start)
        #expect(wishes.next(at: start + PictureWishes.patience) == passage)
        #expect(wishes.next(at: start + PictureWishes.patience + .milliseconds(1)) == nil)
        #expect(wishes.count == 0)
    }

    @Test func `are bounded: the oldest look gives way`() {
        var wishes = PictureWishes()
        wishes.want(passage, at: start)
        for second in 1...PictureWishes.most { wishes.want(UUID(), at: start + .seconds(Double(second))) }
        #expect(wishes.count == PictureWishes.most)
        #expect(wishes.want(passage, at: start + .minutes(5)) == nil)
    }

    @Test func `outlive a clock that is set back`() {
        var wishes = PictureWishes()
        wishes.want(passage, at: start)
        for _ in 0..<9 { wishes.answered(passage, .silent, at: start) }
        let earlier = start - .hours(24)
        #expect(wishes.next(at: earlier) == nil, "looked at in the future: forgotten, and wanted anew by the next look")
        #expect(wishes.want(passage, at: earlier) == nil)
        #expect(wishes.next(at: earlier) == passage)
    }
}
