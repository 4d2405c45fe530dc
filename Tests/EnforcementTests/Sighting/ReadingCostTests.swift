import Testing

@testable import Enforcement

@Suite("What a reading costs a vehicle", .timeLimit(.minutes(1)))
struct ReadingCostTests {
    /// A vehicle that was read as `first` and then, as surely, as UP1PA1234.
    private func vehicle(_ first: PlateReading) -> OpenSighting {
        let (frame, now) = (TrackerRun.reference(0), Instant(seconds: 0))
        var sighting = OpenSighting(number: 1, reading: first, frame: frame, now: now)
        _ = sighting.add(reading("UP1PA1234", 1), frame, now)
        return sighting
    }

    private func cost(_ reading: PlateReading, _ sighting: OpenSighting) -> Double? {
        sighting.cost(of: reading, at: sighting.lastSeenAt, .init())
    }

    @Test func `is nothing where its characters are those of one of the sure readings, and of the surest one by one`() {
        // A format made it a plate: one of its characters was read as another.
        var odd = reading("UP1PA12X4", 1)
        odd.plate = Plate(canonical: "UP1PA1234")
        let other = reading("UP1PA1234", 1)
        #expect(Resemblance.contradictions(odd, other) == 1 && Resemblance.difference(odd.plate, other.plate) == 0)
        #expect(cost(other, vehicle(odd)) == 0)
    }

    @Test func `is that of the plate most like it, wherever it stands, of the sure readings with the same characters`()
    {
        var odd = reading("UP1PA1234", 1)
        odd.plate = Plate(canonical: "EEEEEEEEE")
        let other = reading("UP1PA1234", 1, box: Box(x: 2000, y: 100, width: 120, height: 40))
        #expect(Resemblance.contradictions(odd, other) == 0 && Resemblance.difference(odd.plate, other.plate) == 1)
        #expect(cost(other, vehicle(odd)) == 0.1)
    }
}
