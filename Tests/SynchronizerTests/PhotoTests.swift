import Enforcement
import Foundation
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("Photos on their way to the server", .timeLimit(.minutes(10)))
struct PhotoTests {
    static func photo(_ number: Int) -> PhotoRecord {
        let digits = String(number)
        let hash = String(repeating: "0", count: 64 - digits.count) + digits
        return PhotoRecord(
            sha256: hash, path: "photos/\(hash).jpg", bytes: 3, mediaType: "image/jpeg",
            keptAt: Instant(milliseconds: 1_795_255_200_000))
    }

    private func photo(_ number: Int) -> PhotoRecord { Self.photo(number) }

    @Test func `of a withdrawn passage stay here`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1", photo: photo(1))
        rig.server.fail("/storage", .drop, times: 2)
        try rig.engine.tick()
        try rig.store.passages.withdraw(clientID: passage.clientID, reason: "none", by: "sita", at: rig.clock.now)
        #expect(try rig.store.photos.counts().values.allSatisfy { $0 == 0 })
        try rig.run(for: .minutes(3))
        #expect(rig.server.photos.isEmpty)
    }

    @Test func `follow their passage, under its id there, and are named in it`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1", photo: photo(1))
        try rig.run()
        let id = try rig.store.passages.passage(clientID: passage.clientID)?.serverID?.uuidString.lowercased() ?? ""
        #expect(rig.server.photos == ["passage-photos/\(id).jpg": Data([0xff, 0xd8, 0xff])])
        #expect(rig.server.texts("vehicle_passages", "photo_path") == ["passage-photos/\(id).jpg"])
        #expect(rig.server.texts("vehicle_passages", "photo_sha256") == [photo(1).sha256])
        #expect(try rig.store.photos.dueUploads().isEmpty)
        let asked = rig.server.requests("POST", "/storage/v1/object/passage-photos/\(id).jpg")
        #expect(asked.map { $0.headers["content-type"] } == ["image/jpeg"])
        #expect(asked.map { $0.headers["x-upsert"] } == ["true"])
    }

    @Test func `say where the plate stands in them, where that is known`() throws {
        let rig = try Rig()
        try rig.record("BA 1 PA 1", photo: photo(1))
        try rig.run()
        rig.surroundings.place = PlatePlace(Box(x: 612, y: 340, width: 96, height: 28), width: 1920, height: 1080)
        try rig.record("BA 1 PA 2", photo: photo(2))
        try rig.run(for: .minutes(2))
        let said = rig.server.photos.keys.flatMap { rig.server.requests("POST", "/storage/v1/object/" + $0) }
            .map { $0.headers[PlatePlace.field] ?? "" }
        #expect(said.sorted() == ["", "612 340 96 28 1920 1080"])
    }

    @Test func `wait while the month's data is used up as far as the day, and records don't`() throws {
        let rig = try Rig()
        var settings = rig.engine.settings
        // It is 2026-11-21 in Nepal: 21 thirtieths of it.
        settings.photoAllowance.megabytesAMonth = 100
        rig.engine.apply(settings)
        try rig.store.dataUse.add(DataUse(sent: 60_000_000, received: 9_985_000), at: rig.clock.now)
        rig.surroundings.photo.bytes = Data(count: 20_000)
        try rig.record("BA 1 PA 1", photo: photo(1))
        try rig.record("BA 1 PA 2", photo: photo(2))
        try rig.run(for: .minutes(2))
        #expect(rig.server.photos.count == 1, "the first one took what was left of the day")
        #expect(rig.server.texts("vehicle_passages", "plate_number").count == 2)
        #expect(rig.engine.photosWait == .data)
        let used = try rig.store.dataUse.use(ofMonth: "2026-11")
        #expect(used.sent > 60_020_000 && used.received > 9_985_000, "\(used)")
        try rig.run(for: .hours(9), step: .seconds(30))
        #expect(rig.server.photos.count == 2, "the next day has its part")
        #expect(rig.engine.photosWait == nil)
    }

    @Test func `go the newest first where there are more than the month carries`() throws {
        let rig = try Rig()
        for number in 1...3 { try rig.record("BA 1 PA \(number)", minute: Double(number), photo: photo(number)) }
        var settings = rig.engine.settings
        (settings.photoAllowance.megabytesAMonth, settings.photosACycle) = (100, 1)
        rig.engine.apply(settings)
        try rig.run(for: .seconds(1))
        let names = rig.server.texts("vehicle_passages", "photo_path").filter { !$0.isEmpty }
        #expect(names.count == 1)
        let first = try #require(try rig.store.photos.dueUploads().map(\.photo.sha256).first)
        #expect(first == photo(1).sha256)
        #expect(try rig.store.photos.dueUploads().count == 2)
        #expect(try !rig.store.photos.dueUploads().map(\.photo.sha256).contains(photo(3).sha256))
    }

    @Test func `wait for their hours`() throws {
        let rig = try Rig()
        var settings = rig.engine.settings
        // It is 15:45 in Nepal.
        settings.photoAllowance.hours = HoursOfDay("16:00-16:30")
        rig.engine.apply(settings)
        try rig.record("BA 1 PA 1", photo: photo(1))
        try rig.run(for: .minutes(10))
        #expect(rig.server.photos.isEmpty && rig.engine.photosWait == .hours)
        try rig.run(for: .minutes(10))
        #expect(rig.server.photos.count == 1 && rig.engine.photosWait == nil)
    }

    @Test(arguments: [Fault.drop, .loseAnswer, .truncate, .garble, .portal])
    func `are tried again with a visible count`(fault: Fault) throws {
        let rig = try Rig()
        try rig.record("BA 1 PA 1", photo: photo(1))
        // Twice: libcurl itself asks again when a connection that was open is closed without an answer.
        rig.server.fail("/storage", fault, times: 2)
        try rig.engine.tick()
        #expect(try rig.store.photos.dueUploads().map(\.attempts) == [1])
        #expect(try rig.store.photos.dueUploads().first?.lastError != nil)
        try rig.restart()
        try rig.run(for: .minutes(2))
        #expect(rig.server.photos.count == 1)
    }

    @Test func `step aside after five bad answers`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1", photo: photo(1))
        rig.server.fail("/storage", .answer(.json(["message": "x"], status: 500)), times: 1000)
        try rig.run(for: .minutes(20), step: .seconds(5))
        let id = try rig.store.passages.passage(clientID: passage.clientID)?.serverID?.uuidString.lowercased() ?? ""
        #expect(rig.server.requests("POST", "/storage/v1/object/passage-photos/\(id).jpg").count == 5)
        #expect(try rig.store.photos.counts()[.failed] == 1)
    }

    @Test func `never hold up a passage, or one another`() throws {
        let rig = try Rig()
        for number in 1...3 { try rig.record("BA 1 PA \(number)", photo: photo(number)) }
        rig.server.fail("/storage", .answer(.json(["message": "too long"], status: 413)))
        try rig.run(for: .seconds(5))
        #expect(try rig.count(.synced) == 3)
        #expect(rig.server.photos.count == 2)
        #expect(try rig.store.photos.counts()[.failed] == 1)
    }

    @Test(arguments: [
        Answered.json(["message": "too long"], status: 413), Answered(status: 413, body: Data("<html>".utf8)),
    ])
    func `that are too long for the way are made smaller`(answered: Answered) throws {
        let rig = try Rig()
        rig.surroundings.photo.bytes = Data(repeating: 1, count: 400_000)
        rig.surroundings.isObedient = true
        try rig.record("BA 1 PA 1", photo: photo(1))
        rig.server.fail("/storage", .answer(answered), times: 2)
        try rig.run(for: .seconds(5))
        #expect(rig.server.photos.values.map(\.count) == [100_000])
    }

    @Test func `that stay too large are refused and not sent`() throws {
        let rig = try Rig { $0.maximumPhotoBytes = 10 }
        rig.surroundings.photo.bytes = Data(repeating: 1, count: 11)
        try rig.record("BA 1 PA 1", photo: photo(1))
        try rig.run(for: .seconds(5))
        #expect(rig.server.photos.isEmpty)
        #expect(try rig.store.photos.counts()[.failed] == 1)
    }
}

@Suite("A report of synchronization", .timeLimit(.minutes(10)))
struct ReportTests {
    @Test func `tells the server once of every run that did something, and what waits`() throws {
        let rig = try Rig()
        try rig.record("BA 1 PA 1")
        try rig.run(for: .seconds(95), step: .seconds(1))
        #expect(try rig.store.runs.list().count == 4)
        #expect(rig.server.texts("sync_runs", "pushed_count") == ["1"], "three did nothing")
        for plate in ["BA 1 PA 2", "BA 1 PA 3"] { try rig.record(plate) }
        try rig.run(for: .seconds(65), step: .seconds(1))
        #expect(rig.server.texts("sync_runs", "pushed_count").sorted() == ["1", "2"])
        #expect(rig.server.rows("sync_metadata").first?["pending_count"] as? Int == 0)
    }

    @Test func `comes last, and a run that failed is told later`() throws {
        let rig = try Rig()
        try rig.run()
        rig.server.fail("/rest/v1/rpc/news", .answer(.json(["message": "x"], status: 500)))
        try rig.run(for: .seconds(65))
        #expect(rig.server.texts("sync_runs", "error").count { $0.contains("500") } == 1)
    }
}

@Suite("A service that synchronizes", .timeLimit(.minutes(10)))
struct SyncServiceTests {
    @Test func `sends a passage when it is recorded, and stops when it is told`() async throws {
        let rig = try Rig()
        let service = SyncService(rig.engine)
        service.start()
        #expect(try await eventually { service.state.level == .online })
        // The engine's clock stands still: nothing but the new passage can be the reason.
        try rig.record("BA 1 PA 1")
        #expect(try await eventually { rig.serverPlates == ["BA1PA1"] })
        service.stop()
        try rig.record("BA 1 PA 2")
        #expect(rig.serverPlates == ["BA1PA1"])
    }

    @Test func `runs a cycle when it is asked`() async throws {
        let rig = try Rig()
        let service = SyncService(rig.engine)
        service.start()
        #expect(try await eventually { service.state.lastCycleAt != nil })
        let runs = try rig.store.runs.list().count
        service.syncNow()
        #expect(try await eventually { try rig.store.runs.list().count > runs })
        service.stop()
    }
}
