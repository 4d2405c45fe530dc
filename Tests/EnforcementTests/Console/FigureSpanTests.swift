import Testing

@testable import Enforcement

@Suite("A span of figures", .timeLimit(.minutes(1)))
struct FigureSpanTests {
    /// 12:20 in Nepal.
    private let now = Instant(iso8601: "2026-11-21T06:35:00Z") ?? Instant(milliseconds: 0)

    @Test func `is a day of hours, a week of quarters or a month of days, as a clock in Nepal has them`() {
        let day = FigureSpan(.day, until: now)
        #expect(day.start.iso8601 == "2026-11-20T07:15:00.000Z" && day.count == 24)
        #expect(day.beginning(of: 23) <= now && now < day.end)
        let week = FigureSpan(.week, until: now)
        #expect(week.start.iso8601 == "2026-11-14T18:15:00.000Z" && week.slot == .hours(6))
        #expect(week.end.iso8601 == "2026-11-21T18:15:00.000Z")
        let month = FigureSpan(.month, until: now)
        #expect(month.start.iso8601 == "2026-10-22T18:15:00.000Z" && month.end == week.end)
    }

    @Test func `holds before 1970, where a box begins whose clock was never set`() {
        let span = FigureSpan(.day, until: Instant(milliseconds: -86_400_000))
        #expect(span.beginning(of: 23) <= Instant(milliseconds: -86_400_000))
        #expect(Instant(milliseconds: -86_400_000) < span.end)
    }
}

@Suite("An alarm's key", .timeLimit(.minutes(1)))
struct AlarmKeyTests {
    @Test(arguments: [
        ("camera.gate", "camera", "gate"), ("recording.lost.gate", "recording.lost", "gate"),
        ("clock.camera.gate", "clock.camera", "gate"), ("part.camera.gate", "part", "camera.gate"),
        ("self-test.camera.gate", "self-test.camera", "gate"), ("self-test.memory", "self-test", "memory"),
    ])
    func `names a kind, and whose it is`(key: String, kind: String, name: String) {
        #expect(AlarmKey(key).kind == kind && AlarmKey(key).name == name)
    }

    @Test(arguments: ["disk", "disk.away", "modem.noSIM", "clock.step", "part", ""])
    func `is a kind of its own where it names nothing`(key: String) {
        #expect(AlarmKey(key).kind == key && AlarmKey(key).name == nil)
    }
}
