import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What a trigger told", .timeLimit(.minutes(2)))
struct TriggerTableTests {
    private let search = TriggerSearch(window: .seconds(5))

    private func event(_ number: UInt16, at minutes: Double, seconds: Double = 0, speed: Double? = nil) -> TriggerEvent
    {
        TriggerEvent(
            name: .init(boot: 3, number: number), at: minute(minutes) + .seconds(seconds), lane: 2,
            direction: .backward, speedKmh: speed)
    }

    private func sighting(_ number: Int, at minutes: Double, camera: String = "gate") -> Sighting {
        var sighting = sampleSighting(number, plate: "BA 1 PA \(1000 + number)")
        sighting = Sighting(
            number: number, camera: camera, firstSeenAt: minute(minutes), lastSeenAt: minute(minutes), frameCount: 3,
            bestFrame: FrameReference(
                sha256: sampleHash(number), camera: camera, recordedAt: minute(minutes), clockState: .synchronised),
            reading: sighting.reading)
        return sighting
    }

    @discardableResult
    private func record(_ store: Store, _ number: Int, at minutes: Double, camera: String = "gate") throws -> UUID {
        let passage = samplePassage("BA 1 PA \(1000 + number)", at: minutes)
        try store.frames.commit(
            FrameCommit(
                camera: camera,
                recordings: [.init(passage: passage, sighting: sighting(number, at: minutes, camera: camera))],
                at: minute(minutes)))
        return passage.clientID
    }

    private func review(_ store: Store, _ number: Int, at minutes: Double) throws {
        try store.frames.commit(
            FrameCommit(camera: "gate", reviews: [sighting(number, at: minutes)], at: minute(minutes)))
    }

    private func pair(_ store: Store, until minutes: Double = 60) throws {
        try store.trigger.pair(search, from: minute(-10), until: minute(minutes))
    }

    private func counts(_ store: Store) throws -> [Int] {
        let counts = try store.trigger.counts(from: minute(-100), until: minute(100))
        return [counts.events, counts.withoutPlate]
    }

    @Test func `is kept once, and its names are known again`() throws {
        let test = try TestStore()
        for number in [1, 2, 2] { try test.store.trigger.keep(event(UInt16(number), at: Double(number), speed: 43.2)) }
        #expect(try test.store.trigger.last().map(\.number) == [1, 2])
        #expect(
            try test.store.trigger.list(from: minute(0), until: minute(10)) == [
                event(1, at: 1, speed: 43.2), event(2, at: 2, speed: 43.2),
            ])
        for number in 3...400 { try test.store.trigger.keep(event(UInt16(number), at: Double(number))) }
        #expect(try test.store.trigger.last().map(\.number) == Array(145...400))
    }

    @Test func `is kept once also when its age is another one to the millisecond each time`() throws {
        let test = try TestStore()
        for late in [0, 0.004, 0.9] { try test.store.trigger.keep(event(1, at: 1, seconds: late)) }
        #expect(try test.store.trigger.list(from: minute(0), until: minute(10)) == [event(1, at: 1)])
        // Numbers begin again some day.
        try test.store.trigger.keep(event(1, at: 26 * 60))
        #expect(try test.store.trigger.last().count == 2)
    }

    @Test func `leaves a vehicle to the event that follows, before that one is looked at`() throws {
        let test = try TestStore()
        let store = test.store
        // Nobody reads the first one's plate; the second one comes four seconds later.
        try store.trigger.keep(event(1, at: 1, speed: 70))
        try store.trigger.keep(event(2, at: 1, seconds: 4, speed: 30))
        try record(store, 1, at: 1 + 4.0 / 60)
        try store.trigger.pair(search, from: minute(-10), until: minute(1) + .seconds(2))
        #expect(try counts(store) == [2, 1])
        try pair(store)
        #expect(try counts(store) == [2, 1])
        #expect(try store.passages.list(limit: 1).first?.speedAtPostKmh == 30)
    }

    @Test func `keeps the sighting by which its passage's speed is known`() throws {
        let test = try TestStore()
        let store = test.store
        for number in 1...3 { try record(store, number, at: Double(number)) }
        try store.trigger.keep(event(1, at: 1, speed: 43.2))
        try pair(store)
        try store.sightings.prune(olderThan: minute(50))
        try pair(store)
        let found = try store.passages.list(limit: 10).compactMap(\.speedAtPostKmh)
        #expect(found == [43.2])
        #expect(try counts(store) == [1, 0])
    }

    @Test func `counts as a vehicle without a plate when none was read around it, and not before it was looked for`()
        throws
    {
        let test = try TestStore()
        let store = test.store
        try record(store, 1, at: 1)
        try store.trigger.keep(event(1, at: 1, seconds: 4))
        try store.trigger.keep(event(2, at: 2))
        #expect(try counts(store) == [2, 0])
        try pair(store, until: 1.5)
        #expect(try counts(store) == [2, 0], "the second one may find its vehicle yet")
        try pair(store)
        #expect(try counts(store) == [2, 1])
        try pair(store)
        #expect(try counts(store) == [2, 1], "once more changes nothing")
    }

    @Test func `gives a vehicle its speed, and one vehicle to one event only`() throws {
        let test = try TestStore()
        let store = test.store
        let passage = try record(store, 1, at: 1)
        let other = try record(store, 2, at: 9)
        try store.trigger.keep(event(1, at: 1, seconds: 3, speed: 43.2))
        try store.trigger.keep(event(2, at: 1, seconds: 4, speed: 80))
        try pair(store)
        #expect(try counts(store) == [2, 1], "two vehicles passed, and one plate was read")
        #expect(try store.passages.passage(clientID: passage)?.speedAtPostKmh == 43.2, "the nearer one")
        #expect(try store.passages.passage(clientID: other)?.speedAtPostKmh == nil)
        #expect(try store.passages.list().map(\.speedAtPostKmh) == [nil, 43.2])
    }

    @Test func `finds a vehicle that came on record late, and one that a ranger wrote down`() throws {
        let test = try TestStore()
        let store = test.store
        try store.trigger.keep(event(1, at: 1))
        try store.trigger.keep(event(2, at: 5))
        try pair(store)
        #expect(try counts(store) == [2, 2])
        try record(store, 1, at: 1)
        try pair(store)
        #expect(try counts(store) == [2, 1], "its picture had waited")
        let written = sighting(1, at: 7)
        _ = try store.sightings.add(
            ManualReview(
                camera: "gate", photo: nil, frame: written.bestFrame, reading: written.reading, pressedAt: minute(7)))
        try pair(store)
        #expect(try counts(store) == [2, 0], "two minutes after the vehicle")
    }

    @Test func `follows what becomes of a sighting: in review, recorded, discarded, back in review`() throws {
        let test = try TestStore()
        let store = test.store
        try review(store, 1, at: 1)
        try store.trigger.keep(event(1, at: 1, speed: 31))
        try pair(store)
        #expect(try counts(store) == [1, 0])
        try store.sightings.discardReviewed(sightingID: "gate/1", by: "sita", at: minute(2))
        #expect(try counts(store) == [1, 1], "a vehicle was there, and has no plate")
        try store.sightings.restoreDiscarded(sightingID: "gate/1")
        #expect(try counts(store) == [1, 0])
        let passage = samplePassage("BA 1 PA 1001", at: 1)
        try store.sightings.recordReviewed(sightingID: "gate/1", as: passage, by: "sita", at: minute(3))
        #expect(try counts(store) == [1, 0])
        #expect(try store.passages.passage(clientID: passage.clientID)?.speedAtPostKmh == 31)
    }

    @Test func `belongs to the vehicles of its camera`() throws {
        let test = try TestStore()
        let store = test.store
        try record(store, 1, at: 1, camera: "lane")
        try store.trigger.keep(event(1, at: 1))
        try store.trigger.pair(TriggerSearch(camera: "gate", window: .seconds(5)), from: minute(0), until: minute(60))
        #expect(try counts(store) == [1, 1])
        try store.trigger.pair(TriggerSearch(camera: "lane", window: .seconds(5)), from: minute(0), until: minute(60))
        #expect(try counts(store) == [1, 0])
    }

    @Test func `finds its vehicle among more events than are looked at together`() throws {
        let test = try TestStore()
        let store = test.store
        for number in 0..<450 { try store.trigger.keep(event(UInt16(number), at: 0, seconds: Double(number) * 6)) }
        for number in [100, 399, 449] { try record(store, number, at: Double(number) * 0.1) }
        try pair(store, until: 100)
        #expect(try counts(store) == [450, 447])
    }

    @Test func `stands in the figures among all vehicles`() throws {
        let test = try TestStore()
        let store = test.store
        try record(store, 1, at: 1)
        try review(store, 2, at: 2)
        for (number, minutes) in [(UInt16(1), 1.0), (2, 2), (3, 3), (4, 4)] {
            try store.trigger.keep(event(number, at: minutes))
        }
        try pair(store)
        let span = FigureSpan(.day, until: minute(30))
        let slot = try #require(try store.figures.plots(span, distanceKm: 45).slots.first { $0.vehicles > 0 })
        #expect(slot.vehicles == 1 && slot.waiting == 1 && slot.withoutPlate == 2)
        #expect(slot.readShare == 25, "one of four")
    }

    @Test func `is brought over from a damaged database with its vehicle`() throws {
        let (old, new) = (try TestStore(), try TestStore())
        try record(old.store, 1, at: 1)
        try old.store.trigger.keep(event(1, at: 1, speed: 43.2))
        try old.store.trigger.keep(event(2, at: 5))
        try pair(old.store)
        try old.store.close()
        let salvage = try Salvage(old.path, into: new.store, photos: new.photos)
        defer { salvage.close() }
        _ = try salvage.takeAll(at: minute(60))
        #expect(try counts(new.store) == [2, 1])
        #expect(try new.store.passages.list().map(\.speedAtPostKmh) == [43.2])
    }

    @Test func `is forgotten with its passage, and by its age where it has none`() throws {
        let test = try TestStore()
        let store = test.store
        try record(store, 1, at: 1)
        try record(store, 2, at: 50)
        for (number, minutes) in [(UInt16(1), 1.0), (2, 20), (3, 40)] {
            try store.trigger.keep(event(number, at: minutes))
        }
        try pair(store)
        try store.trigger.forget(before: minute(30))
        #expect(try store.trigger.list(from: minute(0), until: minute(60)).map(\.name.number) == [1, 3])
        var settings = RetentionSettings()
        settings.passages = .minutes(1)
        try store.write("Emptying the queue") { try $0.execute(sql: "DELETE FROM sync_queue") }
        let step = try store.retention.removePassages(
            RetentionPolicy(settings: settings), after: .start, limit: 10, at: minute(100_000))
        #expect(step.count == 2)
        #expect(try store.trigger.list(from: minute(0), until: minute(60)).map(\.name.number) == [3])
    }
}
