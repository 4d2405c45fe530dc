import Testing

@testable import Enforcement

@Suite("An instant", .timeLimit(.minutes(5)))
struct InstantTests {
    @Test func `is written in UTC for programs and in Nepal time for people`() {
        let instant = Instant(milliseconds: 1_795_255_530_250)
        #expect(instant.iso8601 == "2026-11-21T10:05:30.250Z")
        #expect(instant.nepalText == "2026-11-21 15:50:30")
    }

    @Test(arguments: [
        ("2026-11-21T10:05:30.25Z", 1_795_255_530_250), ("2026-11-21T15:50:30+05:45", 1_795_255_530_000),
        ("2026-11-21 15:50:30+0545", 1_795_255_530_000), ("1969-12-31T23:59:59.999Z", -1),
    ])
    func `reads ISO 8601 with an offset`(text: String, milliseconds: Int64) {
        #expect(Instant(iso8601: text) == Instant(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "2026-11-21T10:05:30", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "", "now", "2026-11-21T24:00:00Z",
        "2026-11-21T10:05:30.Z",
    ])
    func `refuses a time that is incomplete or does not exist`(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test func `survives the way to a civil time and back over four centuries`() {
        for day in stride(from: -80_000, through: 80_000, by: 37) {
            let instant = Instant(milliseconds: Int64(day) * 86_400_000 + 12_345_678)
            #expect(CivilTime(instant).instant() == instant)
        }
    }

    @Test func `rounds down to whole seconds, before 1970 too`() {
        #expect(Instant(milliseconds: 1999).epochSeconds == 1)
        #expect(Instant(milliseconds: -1).epochSeconds == -1)
    }
}
