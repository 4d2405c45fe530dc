import Testing

@testable import Enforcement

@Suite("The proof that writing stands in the picture", .timeLimit(.minutes(5)))
struct StandingProofTests {
    private func writing(_ text: String, onPlate: Bool = false, at y: Int = 16) -> PlateReading {
        var reading = reading(text, 0.84, box: Box(x: 20, y: y, width: 200, height: 24))
        reading.look = .init(score: onPlate ? 0.9 : 0.3, isPlate: onPlate)
        return reading
    }

    /// What is known after so many frames over a time, of which the first ones show another text each.
    private func seen(frames: Int, changes: Int, seconds: Double, onPlate: (Int) -> Bool) -> StandingText {
        var standing = StandingText()
        for frame in 0..<frames {
            let at = Instant(seconds: seconds * Double(frame) / Double(frames - 1))
            standing.see([writing("KTA\(7000 + min(frame, changes))", onPlate: onPlate(frame))], at: at)
        }
        return standing
    }

    @Test(arguments: [
        // A clock that doesn't look like a plate, …
        (4, 3, 10.0, false, true), (3, 2, 10, false, false), (4, 2, 10, false, false), (4, 3, 9.9, false, false),
        (10, 6, 10, false, true), (10, 2, 10, false, false),
        // … a sign that doesn't, and a clock that does.
        (4, 0, 60, false, true), (3, 0, 60, false, false), (4, 0, 59.9, false, false),
        (30, 18, 180, true, true), (29, 18, 180, true, false), (30, 17, 180, true, false), (30, 18, 179.9, true, false),
    ])
    func `is given by so many frames, with so many texts, over so long a time`(
        frames: Int, changes: Int, seconds: Double, onPlate: Bool, isGiven: Bool
    ) {
        let standing = seen(frames: frames, changes: changes, seconds: seconds) { _ in onPlate }
        #expect(standing.places.map(\.isCertain) == [isGiven])
    }

    @Test func `holds for what looks like a plate where a twentieth of the frames did so`() {
        for (frames, isStanding) in [(20, true), (21, false)] {
            let standing = seen(frames: frames, changes: frames, seconds: 60) { $0 == 0 }
            #expect(standing.isStanding(writing("KTA7000")))
            #expect(standing.isStanding(writing("KTA7000", onPlate: true)) == isStanding)
        }
    }

    @Test func `outlasts any number of vehicles that pass`() {
        var standing = seen(frames: 4, changes: 0, seconds: 60) { _ in false }
        for second in 0..<10 {
            let passing = (1...40).map { writing("BA1PA\(1000 + $0)", at: 16 + 40 * $0) }
            standing.see(passing, at: Instant(seconds: 61 + Double(second)))
        }
        #expect(standing.places.count == 32 && standing.places.contains(where: \.isCertain))
        #expect(standing.isStanding(writing("KTA7000")))
    }
}
