/// Remembers what was read in one place for long, or again and again: a shop sign, not a vehicle.
///
/// A place with its text is remembered when a sighting ends that never moved. A doubtful reading of the same text in the same
/// place soon afterwards needs no second review; after `sightingsToIgnore` sightings, or a sighting of
/// `longestStanding`, it is a fixture, and its readings are ignored. A real vehicle is not lost by it: one that is back in
/// the very same place so soon has not been through the park.
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

    private(set) var fixtures: [Fixture] = []

    /// The place that a reading belongs to, unless it was forgotten.
    func fixture(of reading: PlateReading, at now: Instant) -> Fixture? {
        index(text: reading.plate.compact, box: reading.box, at: now).map { fixtures[$0] }
    }

    /// A certain fixture was read again.
    mutating func refresh(_ reading: PlateReading, at now: Instant) {
        guard let index = index(text: reading.plate.compact, box: reading.box, at: now) else { return }
        fixtures[index].lastSeenAt = now
    }

    /// A sighting that never moved has ended.
    mutating func remember(text: String, box: Box, stood: TimeSpan, at now: Instant) {
        let stoodLong = stood >= Self.longestStanding
        if let index = index(text: text, box: box, at: now) {
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

    private func index(text: String, box: Box, at now: Instant) -> Int? {
        let folded = LookAlike.folded(text)
        return fixtures.firstIndex {
            isRemembered($0, at: now) && $0.box.overlap(box) >= 0.7
                && 3 * editDistance(LookAlike.folded($0.text), folded) <= max($0.text.count, folded.count)
        }
    }
}
