import Testing

@testable import Enforcement

@Suite("A passage matcher", .timeLimit(.minutes(5)))
struct PassageMatcherTests {
    private let matcher = PassageMatcher()
    private let dayMs: Int64 = 86_400_000

    @Test(arguments: [Int64(5_000_000), -5_000_000])
    func `matches in either direction, the earlier passage being the entry`(ms: Int64) throws {
        let own = passage("BA 1 CHA 1234", ms: 0, id: 1)
        let other = passage("ba1cha1234", at: "B", ms: ms, id: 2)
        let match = try matched(own, [other])
        #expect(match.certainty == .exact)
        #expect(match.entry == (ms > 0 ? own : other))
        #expect(match.travelTime == .milliseconds(5_000_000))
    }

    @Test func `takes the one right before`() throws {
        let others = [9_000_000, -4_000_000, 1_000_000].enumerated().map { index, ms in
            passage("BA1CHA1234", at: "B", ms: Int64(ms), id: index + 2)
        }
        #expect(try matched(passage("BA1CHA1234", ms: 0, id: 1), others).entry == others[1])
    }

    @Test func `decides between equal distances the same, in whatever order they come`() throws {
        let own = passage("BA1CHA1234", ms: 0, id: 1)
        let others = [
            passage("BA1CHA1234", at: "B", ms: 5000, id: 3), passage("BA1CHA1234", at: "B", ms: -5000, id: 2),
        ]
        let one = try matched(own, others)
        #expect(try matched(own, others.reversed()) == one)
        #expect(one.entry == others[1])
    }

    @Test func `names the same entry at both posts when the times are equal`() {
        let one = passage("BA1CHA1234", ms: 0, id: 1)
        let other = passage("BA1CHA1234", at: "B", ms: 0, id: 2)
        #expect(Match(one, other, certainty: .exact) == Match(other, one, certainty: .exact))
    }

    @Test func `reaches to the window's edge and no further`() {
        let own = passage("BA1CHA1234", ms: 0, id: 1)
        for edge in [dayMs, -dayMs] {
            let inside = passage("BA1CHA1234", at: "B", ms: edge, id: 2)
            let outside = passage("BA1CHA1234", at: "B", ms: edge + edge.signum(), id: 2)
            #expect(matcher.match(own, among: [inside]) == .matched(Match(own, inside, certainty: .exact)))
            #expect(matcher.match(own, among: [outside]) == .pending)
        }
    }

    @Test func `never matches a passage of its own post, nor itself`() {
        let own = passage("BA1CHA1234", ms: 0, id: 1)
        let again = passage("BA1CHA1234", ms: 5_000_000, id: 2)
        let itself = passage("BA1CHA1234", at: "B", ms: 5_000_000, id: 1)
        #expect(matcher.match(own, among: [again, itself]) == .pending)
    }

    @Test func `takes a plate that looks alike for possible only, the nearest in time first`() {
        let own = passage("BA1CHA1234", ms: 0, id: 1)
        let far = passage("BA1CHA1Z34", at: "B", ms: 9000, id: 2)
        let near = passage("BA1CHA1235", at: "B", ms: -8000, id: 3)
        let unlike = passage("BA1CHA1239", at: "B", ms: 1000, id: 4)
        let expected = [near, far].map { Match(own, $0, certainty: .lookAlike) }
        #expect(matcher.match(own, among: [far, unlike, near]) == .possible(expected))
    }

    @Test func `prefers the same plate to a nearer one that looks alike`() throws {
        let same = passage("BA1CHA1234", at: "B", ms: 9_000_000, id: 2)
        let alike = passage("BA1CHA1235", at: "B", ms: 1000, id: 3)
        #expect(try matched(passage("BA1CHA1234", ms: 0, id: 1), [alike, same]).exit == same)
    }

    @Test func `takes what looks alike for possible within the window, to the millisecond, and never itself`() {
        let day: Int64 = 86_400_000
        let own = passage("BA1CHA1234", ms: 0, id: 1)
        func isPossible(_ ms: Int64, at post: String = "B", id: Int = 2) -> Bool {
            !matcher.possible(own, among: [passage("BA1CHA1235", at: post, ms: ms, id: id)]).isEmpty
        }
        #expect(isPossible(day) && isPossible(-day) && !isPossible(day + 1) && !isPossible(-day - 1))
        #expect(!isPossible(1000, at: "A") && !isPossible(1000, id: 1))
        #expect(
            matcher.possible(own, among: [passage("BA1CHA1234", at: "B", ms: 1000, id: 2)]).isEmpty, "it is the same")
    }

    @Test func `names a few look-alikes at most`() {
        let others = (2..<40).map { passage("BA1CHA1235", at: "B", ms: Int64($0) * 1000, id: $0) }
        guard case .possible(let matches) = matcher.match(passage("BA1CHA1234", ms: 0, id: 1), among: others) else {
            Issue.record("no possible match")
            return
        }
        #expect(matches.count == PassageMatcher.maximumPossible)
    }

    @Test func `never matches a plate with unread characters for certain, though both lack the same`() {
        let own = partial(passage("X", ms: 0, id: 1), "? 1 CHA 1234")
        let other = partial(passage("X", at: "B", ms: 5_000_000, id: 2), "? 1 CHA 1234")
        let full = passage("BA 1 CHA 1234", at: "B", ms: 6_000_000, id: 3)
        let expected = [other, full].map { Match(own, $0, certainty: .lookAlike) }
        #expect(matcher.match(own, among: [full, other]) == .possible(expected))
    }

    private func matched(_ own: MatchablePassage, _ others: [MatchablePassage]) throws -> Match {
        guard case .matched(let match) = matcher.match(own, among: others) else { throw NoMatch() }
        return match
    }

    private struct NoMatch: Error {}
}

@Suite("Look-alikes", .timeLimit(.minutes(5)))
struct LookAlikeTests {
    @Test(arguments: [
        ("BA 1 PA 1234", "BA 1 PHA 1234", true), ("BA 1 PA 1234", "KA 1 PA 1234", true),
        ("ME 1 PA 1234", "BHE 1 PA 1234", true), ("P3 02 013 PA 7173", "P3 02 013 YA 7173", true),
        ("BA 1 PA 1234", "BA 1 KA 1234", false), ("BA 1 PA 1234", "KA 1 PHA 1234", false),
        ("BA 1 PA 1234", "BA 1 PHA 1235", false), ("B AC 5763", "B AC 5793", false), ("B AC 5763", "8 AC 5763", true),
    ])
    func `are plates one character or one syllable apart`(left: String, right: String, areAlike: Bool) {
        #expect(LookAlike.mayBeSame(Plate(canonical: left), Plate(canonical: right)) == areAlike)
        #expect(LookAlike.mayBeSame(Plate(canonical: right), Plate(canonical: left)) == areAlike)
    }

    @Test(arguments: [
        ("?1PA1234", "BA1PA1234", true), ("?1PA1234", "BHE1PA1234", true), ("BA1PA12?4", "BA1PA1234", true),
        ("BA1PA12?4", "BA1PA1235", false), ("????????", "BA1PA1234", false), ("??", "B?", false),
        ("BA1PA1234??", "BA1PA1234", false),
    ])
    func `fill the gaps of a plate that was read in part`(left: String, right: String, areAlike: Bool) {
        #expect(LookAlike.mayBeSame(Plate(canonical: left), Plate(canonical: right)) == areAlike)
    }
}
