import Enforcement
import Testing

@Suite("Backups that are kept", .timeLimit(.minutes(5)))
struct BackupRotationTests {
    private let now = Instant(milliseconds: 1_795_255_200_000)

    @Test func `are the last of seven days and of four weeks`() {
        var there: Set<Instant> = []
        for day in 0..<120 {
            let time = now + .days(Double(day))
            there.insert(time)
            for old in BackupRotation().outdated(Array(there)) { there.remove(old) }
            #expect(there.contains(time))
        }
        let ages = there.map { ((now + .days(119)) - $0).days }.sorted()
        #expect(ages.prefix(7) == [0, 1, 2, 3, 4, 5, 6])
        #expect((10...12).contains(ages.count), "\(ages)")
        #expect(ages.allSatisfy { $0 < 35 } && (ages.last ?? 0) >= 25, "\(ages)")
    }

    @Test func `are one a day, the last, and always the newest of all`() {
        let day = now - .milliseconds(now.milliseconds % 86_400_000)
        let times = [day, day + .hours(1), day + .hours(2)]
        #expect(BackupRotation().outdated(times) == [day + .hours(1), day])
        #expect(BackupRotation().outdated([]).isEmpty)
        #expect(BackupRotation(days: 0, weeks: 0).outdated([now]).isEmpty)
    }

    @Test func `are due once a day, tried again every hour, and missed after two days`() {
        var clock = BackupClock(lastGood: nil, lastTry: nil)
        #expect(clock.isDue(at: now) && !clock.isAlarming(at: now))
        clock.lastTry = now
        #expect(!clock.isDue(at: now), "not twice in a moment")
        #expect(!clock.isDue(at: now + .minutes(59)) && clock.isDue(at: now + .minutes(60)))
        #expect(clock.isAlarming(at: now), "the first one failed")
        clock.lastGood = now
        #expect(!clock.isDue(at: now + .hours(23)) && clock.isDue(at: now + .hours(24)))
        #expect(!clock.isAlarming(at: now + .hours(47)) && clock.isAlarming(at: now + .hours(48)))
        #expect(clock.isDue(at: now - .days(300)), "a clock that was set back")
    }
}
