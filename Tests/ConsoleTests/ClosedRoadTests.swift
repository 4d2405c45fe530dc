import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("A road that is closed", .timeLimit(.minutes(5)))
struct ClosedRoadTests {
    private let road = UUID()

    /// Closes the road from an hour ago until in an hour.
    private func close(_ rig: Rig, to type: VehicleType? = nil) throws {
        let time = CivilTime(rig.clock.now, offset: CivilTime.nepalOffset)
        let minute = time.hour * 60 + time.minute
        let hours = HoursOfDay(
            from: HoursOfDay.text((minute + 1380) % 1440), until: HoursOfDay.text((minute + 60) % 1440))
        let segment = Segment(
            id: road, name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10,
            hourLimits: HourLimits([HourLimit(try #require(hours), type: type, kmh: nil)]))
        let post = Checkpost(id: UUID(), code: "BNP-B", name: "Obhari gate", positionIndex: 1)
        try rig.store.segments.keep(segment, checkposts: [post], at: rig.clock.now)
    }

    private func sounding(_ rig: Rig) throws -> [RangerAlert] { try rig.console.alerts.sounding(at: rig.clock.now) }

    @Test func `alerts of whoever passes in its hours, until somebody has seen it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.passage("BA 1 CHA 1")
            rig.clock.advance(.minutes(1))
            try close(rig)
            #expect(try sounding(rig).isEmpty, "it passed before the post knew of the hours")
            rig.clock.advance(.minutes(1))
            let passage = try rig.passage("BA 1 CHA 2")
            let visitor = try await rig.ranger()
            let alerts = try await visitor.get("/api/alerts").list
            #expect(alerts.count == 1 && alerts.first?["kind"] as? String == "closed")
            #expect(alerts.first?["plate"] as? String == "BA 1 CHA 2")
            let page = try await visitor.get("/").text
            #expect(page.contains("data-finding=\"closed\"") && page.contains("ROAD CLOSED"))
            #expect(page.contains(" closed</p>") && !page.contains("· ·"), "nothing that it has not")
            #expect(page.contains("/passage?id=\(passage.uuidString.lowercased())"))
            #expect(try await visitor.get("/sounds/closed.wav").body.count > 10_000)
            let id = "closed/\(passage.uuidString.lowercased())"
            #expect(try await visitor.post("/do/alerts/seen", ["id": id]).status == 303)
            #expect(try sounding(rig).isEmpty)
            #expect(try await visitor.get("/alerts").text.contains("BA 1 CHA 2"))
            rig.clock.advance(.hours(2))
            try rig.passage("BA 1 CHA 3")
            #expect(try sounding(rig).isEmpty, "it is open again")
        }
    }

    @Test func `alerts of no other type, no exempt vehicle and none on a clock that can't be trusted`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try close(rig, to: .bus)
            try rig.passage("BA 1 CHA 1")
            #expect(try sounding(rig).isEmpty, "a car")
            rig.clock.advance(.minutes(1))
            try close(rig)
            try rig.store.exemptPlates.add(Plate(canonical: "BA 1 JHA 1"), reason: "park", at: rig.clock.now)
            rig.clock.advance(.minutes(1))
            try rig.passage("BA 1 JHA 1")
            try rig.store.passages.record(passage("BA 1 CHA 4", at: rig.clock.now, .untrusted), at: rig.clock.now)
            #expect(try sounding(rig).isEmpty)
        }
    }

    private func passage(
        _ plate: String, at: Instant, _ clock: ClockState = .simulated, travel: Travel? = nil
    ) -> Passage {
        Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-B", recordedAt: at, clockState: clock, confidence: 0.9, origin: .camera, travel: travel)
    }

    @Test func `lets out who went in before its hours`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try close(rig)
            rig.clock.advance(.minutes(1))
            try rig.store.passages.record(
                passage("BA 1 CHA 1", at: rig.clock.now, travel: .leaving), at: rig.clock.now)
            #expect(try sounding(rig).isEmpty, "known to have come out")
            try rig.store.passages.record(
                passage("BA 1 CHA 2", at: rig.clock.now, travel: .entering), at: rig.clock.now)
            #expect(try sounding(rig).map(\.kind) == ["closed"])
            // Of these the entry is known: before the hours, and in them.
            try rig.violation("BA 1 CHA 3", minutes: 65)
            try rig.violation("BA 1 CHA 4", minutes: 30)
            let closed = try sounding(rig).filter { $0.kind == "closed" }
            let plates = closed.compactMap {
                if case .closed(let sight) = $0.subject { sight.plate.canonical } else { nil }
            }
            #expect(Set(plates) == ["BA 1 CHA 2", "BA 1 CHA 4"])
        }
    }

    @Test func `is closed by the file, too, from when the box knows of it, also after a restart`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let hours = try #require(HourLimits(typed: "00:00-23:59 closed, 23:59-00:00 closed"))
            let board = { AlertBoard(store: rig.store, checkpostCode: "BNP-B", hourLimits: hours) }
            try rig.passage("BA 1 CHA 1")
            rig.clock.advance(.minutes(1))
            try board().noteHours(at: rig.clock.now)
            #expect(try board().open(at: rig.clock.now).isEmpty, "it passed before")
            try rig.passage("BA 1 CHA 2")
            rig.clock.advance(.minutes(1))
            try board().noteHours(at: rig.clock.now)
            #expect(try board().open(at: rig.clock.now).map(\.kind) == ["closed"])
        }
    }
}
