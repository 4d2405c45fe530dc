/// Remembers what was read in one place for long, or again and again: a shop sign, not a vehicle.
///
/// A place with its text is remembered when a sighting ends that never moved. A doubtful reading of the same text in the same
/// place soon afterwards needs no second review; after `sightingsToIgnore` sightings, or a sighting of
/// `longestStanding`, it is a fixture, and its readings are ignored. A real vehicle is not lost by it: the same plate back in
/// the very same place so soon has not been through the park, and another plate is another text. Vehicles of one district
/// differ in few characters, and with a camera that takes one picture of each they all stand in one place.
struct FixtureMemory: Sendable, Equatable, Codable {
    struct Fixture: Sendable, Equatable, Codable {
        var box: Box
        var text: String
        var lastSeenAt: Instant
        var sightings = 1
        var stoodLong = false

        var isCertain: Bool { stoodLong || sightings >= FixtureMemory.sightingsToIgnore }
    }

    static let sightingsToIgnore = 4
    static let longestStanding = TimeSpan.minutes(30)

    /// How long a place is remembered after it was last read; far longer once it is certain by repetition.
    static let memory = TimeSpan.minutes(45)
    static let longMemory = TimeSpan.hours(36)

    private static let maximumFixtures = 32

    /// A text is known again in spite of one wrong character when it was read less surely than this.
    static let doubtful = 0.5

    private(set) var fixtures: [Fixture] = []

    /// The place that a reading belongs to, unless it was forgotten.
    func fixture(of reading: PlateReading, at now: Instant) -> Fixture? {
        index(text: reading.plate.compact, reading.confidence, box: reading.box, at: now).map { fixtures[$0] }
    }

    /// A certain fixture was read again.
    mutating func refresh(_ reading: PlateReading, at now: Instant) {
        guard let index = index(text: reading.plate.compact, reading.confidence, box: reading.box, at: now) else {
            return
        }
        fixtures[index].lastSeenAt = now
    }

    /// A sighting that never moved has ended.
    ///
    /// - Parameter confidence: of the text.
    mutating func remember(text: String, confidence: Double, box: Box, stood: TimeSpan, at now: Instant) {
        let stoodLong = stood >= Self.longestStanding
        if let index = index(text: text, confidence, box: box, at: now) {
            fixtures[index].lastSeenAt = now
            fixtures[index].sightings = min(fixtures[index].sightings + 1, Self.sightingsToIgnore)
            fixtures[index].stoodLong = fixtures[index].stoodLong || stoodLong
            return
        }
        fixtures = fixtures.filter { isRemembered($0, at: now) }
        if fixtures.count >= Self.maximumFixtures,
            let oldest = fixtures.indices.min(by: { fixtures[$0].lastSeenAt < fixtures[$1].lastSeenAt })
        {
            fixtures.remove(at: oldest)
        }
        fixtures.append(Fixture(box: box, text: text, lastSeenAt: now, stoodLong: stoodLong))
    }

    private func isRemembered(_ fixture: Fixture, at now: Instant) -> Bool {
        let memory = fixture.sightings >= Self.sightingsToIgnore ? Self.longMemory : Self.memory
        return (now - fixture.lastSeenAt).magnitude <= memory
    }

    private func index(text: String, _ confidence: Double, box: Box, at now: Instant) -> Int? {
        let folded = LookAlike.folded(text)
        let allowed = confidence < Self.doubtful ? 1 : 0
        return fixtures.firstIndex {
            isRemembered($0, at: now) && $0.box.overlap(box) >= 0.7
                && editDistance(LookAlike.folded($0.text), folded) <= allowed
        }
    }
}
