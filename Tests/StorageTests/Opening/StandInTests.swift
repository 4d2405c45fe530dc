import Enforcement
import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("A database that stands in for one whose disk is away", .timeLimit(.minutes(10)))
struct StandInTests {
    private let home: URL
    private let spare: URL
    private let now = minute(0)

    init() throws { (home, spare) = (try TestStore.makeFolder(), try TestStore.makeFolder()) }

    private func open(_ folder: URL) throws -> Store {
        try Store(path: folder.appendingPathComponent("checkpost.sqlite").path)
    }

    private func record(_ count: Int, from first: Int, in folder: URL, _ store: Store) throws -> [Passage] {
        try (first..<first + count).map { number in
            let at = minute(Double(number))
            let photo = try PhotoStore(folder: folder).keep(
                Data([0xFF, 0xD8]) + Data("\(number)".utf8), recordedAt: at, at: now)
            let passage = samplePassage("BA 1 PA \(1000 + number)", at: Double(number), photoSHA256: photo.sha256)
            try store.frames.commit(
                FrameCommit(
                    camera: "gate", takenKey: "\(number).jpg|1|2", photos: [photo],
                    recordings: [.init(passage: passage, sighting: nil)], at: at))
            return passage
        }
    }

    private func bring(into store: Store) throws -> (report: Salvage.Report, missing: Int) {
        let salvage = try Salvage(
            spare.appendingPathComponent("checkpost.sqlite").path, photosAside: spare.appendingPathComponent("photos"),
            into: store, photos: PhotoStore(folder: home))
        defer { salvage.close() }
        return (try salvage.takeAll(at: now), try salvage.countOfMissing())
    }

    /// The clock of a box without a battery says 1970 until somebody tells it the time.
    @Test(arguments: [minute(0), Instant(milliseconds: 1000)])
    func `gives no number twice, whatever its clock says, and comes home whole`(began: Instant) throws {
        let (store, standIn) = (try open(home), try open(spare))
        let before = try record(5, from: 0, in: home, store)
        try store.prepare(standIn: standIn, at: now)
        #expect(try !standIn.hasStoodIn)
        // Recorded at home after the stand-in was prepared.
        let late = try record(5, from: 5, in: home, store)
        try standIn.beginStandingIn(at: began)
        #expect(try standIn.hasStoodIn)
        let meanwhile = try record(7, from: 10, in: spare, standIn)
        let ids = try standIn.queue.entries(limit: 100).map(\.id)
        #expect(Set(ids).isDisjoint(with: try store.queue.entries(limit: 100).map(\.id)))
        // It is in use: nothing of it is prepared over.
        try store.prepare(standIn: standIn, at: now)
        try standIn.close()
        let (report, missing) = try bring(into: store)
        #expect(report.passages == 7 && report.unsent == 7 && report.photos == 7 && report.isWhole && missing == 0)
        let all = Set(try store.passages.list(limit: 100).map(\.passage.clientID))
        #expect(all == Set((before + late + meanwhile).map(\.clientID)))
        #expect(try store.queue.counts()[.pending] == 17)
        for passage in meanwhile {
            let photo = try #require(try store.photos.record(sha256: passage.photoSHA256 ?? ""))
            #expect(try PhotoStore(folder: home).verify(photo))
        }
        #expect(try store.findDamage() == nil)
        try store.close()
    }

    @Test func `brings home what waits for the server beside a vehicle that both have recorded`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        try store.prepare(standIn: standIn, at: now)
        _ = try record(1, from: 0, in: home, store)
        try standIn.beginStandingIn(at: now)
        // Its picture lay in the camera's folder still, and was read once more.
        let meanwhile = try record(2, from: 0, in: spare, standIn)
        try standIn.close()
        let (report, missing) = try bring(into: store)
        #expect(report.passages == 1 && report.unsent == 1 && missing == 0, "\(report), \(missing) are missing")
        #expect(try store.passages.list(limit: 10).count == 2)
        #expect(try store.queue.entries().map(\.passageClientID).contains(meanwhile[1].clientID))
        #expect(try store.queue.counts()[.pending] == 2)
        try store.close()
    }

    @Test func `brings home what waits for a ranger, but not what waits there already or is on record`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        try store.prepare(standIn: standIn, at: now)
        let recorded = try record(1, from: 0, in: home, store)
        try standIn.beginStandingIn(at: now)
        func review(_ number: Int, _ plate: String, _ sha256: String) -> Sighting {
            sampleSighting(number, plate: plate, sha256: sha256)
        }
        let (one, other) = (sampleHash(1), sampleHash(2))
        try store.frames.commit(FrameCommit(camera: "gate", reviews: [review(1, "BA 1 PA 9", one)], at: now))
        let onRecord = try #require(recorded[0].photoSHA256)
        try standIn.frames.commit(
            FrameCommit(
                camera: "gate",
                reviews: [
                    review(1_000_001, "BA 1 PA 9", one), review(1_000_002, "BA 2 PA 9", one),
                    review(1_000_003, recorded[0].plate.canonical, onRecord),
                ], open: [review(1_000_004, "BA 3 PA 9", other)], at: now))
        try standIn.close()
        #expect(try bring(into: store).missing == 0)
        // Two vehicles may be in one picture, and what was in view waits for a ranger.
        let plates = try store.sightings.list(in: .review, limit: 10).map(\.sighting.reading.plate.canonical)
        #expect(plates.sorted() == ["BA 1 PA 9", "BA 2 PA 9", "BA 3 PA 9"])
        try store.close()
    }

    @Test func `knows which pictures were answered for, and forgets those that are forgotten`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        _ = try record(3, from: 0, in: home, store)
        try store.prepare(standIn: standIn, at: now)
        #expect(try standIn.frames.takenKeys(camera: "gate").count == 3)
        _ = try record(2, from: 3, in: home, store)
        try store.frames.forgetTaken(camera: "gate", takenBefore: minute(2), except: [])
        try store.prepare(standIn: standIn, at: now)
        #expect(try standIn.frames.takenKeys(camera: "gate") == store.frames.takenKeys(camera: "gate"))
        try standIn.close()
        try store.close()
    }

    @Test func `knows the pictures that were answered for while the clock said 1970`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        _ = try record(3, from: 0, in: home, store)
        try store.prepare(standIn: standIn, at: now)
        for name in ["a", "b"] {
            try store.frames.commit(FrameCommit(camera: "gate", takenKey: name, at: Instant(milliseconds: 1000)))
            try store.prepare(standIn: standIn, at: now)
            #expect(try standIn.frames.takenKeys(camera: "gate") == store.frames.takenKeys(camera: "gate"))
        }
        try store.frames.forgetTaken(camera: "gate", takenBefore: minute(2), except: ["a"])
        try store.prepare(standIn: standIn, at: now)
        #expect(try standIn.frames.takenKeys(camera: "gate") == store.frames.takenKeys(camera: "gate"))
        #expect(try standIn.frames.takenKeys(camera: "gate").contains("a"))
        try standIn.close()
        try store.close()
    }

    /// Its picture stayed in the camera's folder, and was read there before the stand-in knew of it.
    @Test(arguments: [false, true])
    func `brings no vehicle twice whose picture both have read, though its time was put right`(
        isAtServer: Bool
    ) throws {
        let (store, standIn) = (try open(home), try open(spare))
        try store.prepare(standIn: standIn, at: now)
        let passage = try #require(try record(1, from: 0, in: home, store).first)
        try standIn.beginStandingIn(at: now)
        let photo = try PhotoStore(folder: spare).keep(
            Data([0xFF, 0xD8]) + Data("0".utf8), recordedAt: Instant(milliseconds: 1000), at: now)
        #expect(photo.sha256 == passage.photoSHA256)
        let vehicles = [passage.plate.canonical, "BA 2 PA 2"].map {
            samplePassage($0, at: -100_000, photoSHA256: photo.sha256)
        }
        try standIn.frames.commit(
            FrameCommit(
                camera: "gate", photos: [photo], recordings: vehicles.map { .init(passage: $0, sighting: nil) },
                at: now))
        let serverID = UUID()
        if isAtServer {
            try standIn.write("Being at the server") { db in
                try db.execute(
                    sql: "UPDATE passages SET server_id = ? WHERE client_id = ?",
                    arguments: [serverID.stored, vehicles[0].clientID.stored])
                try db.execute(
                    sql: "UPDATE sync_queue SET status = 'synced' WHERE passage_client_id = ?",
                    arguments: [vehicles[0].clientID.stored])
            }
        }
        try standIn.close()
        #expect(try bring(into: store).missing == 0)
        let kept = try store.passages.list(limit: 10)
        // The other vehicle in the picture is not this one.
        #expect(kept.map(\.passage.plate.canonical).sorted() == ["BA 1 PA 1000", "BA 2 PA 2"])
        // What the server has already is not sent under another name.
        let one = kept.first { $0.passage.plate == passage.plate }
        #expect(one?.passage.recordedAt == passage.recordedAt)
        #expect(try store.queue.counts()[.pending] == (isAtServer ? 1 : 2))
        try store.close()
    }

    @Test func `knows who may sign in`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        try store.accounts.add(
            User(name: "sita", fullName: "Sita", role: .ranger, origin: .box, passwordHash: "hash", createdAt: now))
        try store.prepare(standIn: standIn, at: now)
        #expect(try standIn.accounts.user("sita")?.fullName == "Sita")
        try standIn.close()
        try store.close()
    }

    @Test func `is not let go of while something of it is not at home`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        try store.prepare(standIn: standIn, at: now)
        try standIn.beginStandingIn(at: now)
        let passages = try record(2, from: 0, in: spare, standIn)
        try standIn.close()
        #expect(try bring(into: store).missing == 0)
        try store.write("Losing a photo") { db in
            try db.execute(
                sql: "UPDATE photos SET removed_at = 1 WHERE sha256 = ?", arguments: [passages[0].photoSHA256])
        }
        let salvage = try Salvage(
            spare.appendingPathComponent("checkpost.sqlite").path, photosAside: spare.appendingPathComponent("photos"),
            into: store, photos: PhotoStore(folder: home))
        defer { salvage.close() }
        #expect(try salvage.countOfMissing() == 1)
        try store.close()
    }

    @Test func `brings the key of its evidence, and the chain goes on`() throws {
        let (store, standIn) = (try open(home), try open(spare))
        try store.evidence.lookAfterKey(at: now)
        _ = try record(2, from: 0, in: home, store)
        try store.prepare(standIn: standIn, at: now)
        try standIn.beginStandingIn(at: now)
        try standIn.evidence.lookAfterKey(at: now)
        _ = try record(2, from: 5, in: spare, standIn)
        let key = try standIn.evidence.currentKey()
        try standIn.close()
        try store.evidence.keys.take(from: EvidenceKeys(dataFolder: spare))
        _ = try bring(into: store)
        #expect(try store.evidence.currentKey() == key)
        #expect(try store.evidence.lookAfterKey(at: now) == .sound, "no key is missed")
        _ = try record(1, from: 9, in: home, store)
        #expect(try store.evidence.unsignedCount() == 0)
        try store.close()
    }
}
