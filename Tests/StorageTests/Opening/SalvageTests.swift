import Enforcement
import Foundation
import GRDB
import TestKit
import Testing

@testable import Storage

@Suite("A damaged database", .timeLimit(.minutes(10)))
struct SalvageTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("checkpost.sqlite").path }
    private var photos: PhotoStore { PhotoStore(folder: folder) }
    private let now = minute(10_000)

    init() throws { folder = try TestStore.makeFolder() }

    /// So many passages with photos, of which the last ten wait for the server; an account, a setting and answered frames.
    private func makeDatabase(_ count: Int) throws -> [Passage] {
        let store = try Store(path: path)
        try store.accounts.add(
            User(
                name: "sita", fullName: "Sita", role: .ranger, origin: .box, passwordHash: "hash", createdAt: minute(0))
        )
        try store.settings.replace(["matching.window_hours": "30"], from: .server, at: minute(0))
        var passages: [Passage] = []
        for number in 0..<count {
            let photo = try photos.keep(
                Data([0xFF, 0xD8]) + Data("\(number)".utf8), recordedAt: minute(Double(number)), at: minute(0))
            let passage = samplePassage("BA 1 PA \(1000 + number)", at: Double(number), photoSHA256: photo.sha256)
            passages.append(passage)
            try store.frames.commit(
                FrameCommit(
                    camera: "gate", takenKey: "\(number).jpg|1|2", photos: [photo],
                    recordings: [.init(passage: passage, sighting: nil)], at: minute(Double(number))))
        }
        for var entry in try store.queue.entries(limit: count - 10) {
            entry.status = .synced
            try store.queue.update(entry, learning: ServerFacts(serverID: UUID()))
        }
        try store.close()
        return passages
    }

    /// Sets the file aside, and opens the new one as a start does.
    private func setAside() throws -> (store: Store, aside: String) {
        let mark = DamageMark(path: path)
        mark.add("found damaged")
        mark.add("found damaged again")
        let opening = try Store.openForRun(path: path, at: now)
        return (opening.store, try #require(opening.setAside).path)
    }

    /// Overwrites pages, but the first.
    private func spoil(_ path: String, pages: [Int]) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in pages {
            try file.seek(toOffset: UInt64(4096 * page))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
    }

    @Test func `gives the new one all that is in it, where only the mark was wrong`() throws {
        let passages = try makeDatabase(60)
        let (store, aside) = try setAside()
        defer { try? store.close() }
        let salvage = try Salvage(aside, into: store, photos: photos)
        defer { salvage.close() }
        let first = try salvage.takeFirst(seconds: 30)
        #expect(first.accounts == 1 && first.frames == 60 && first.isWhole)
        #expect(try store.frames.isTaken(camera: "gate", key: "7.jpg|1|2"), "no picture is read twice")
        let report = try salvage.takeAll(at: now)
        #expect(report.passages == 60 && report.unsent == 10 && report.photos == 60 && report.isWhole)
        #expect(try store.settings.all() == ["matching.window_hours": "30"])
        #expect(try store.queue.counts()[.pending] == 10)
        #expect(try store.queue.counts()[.synced] == 50)
        #expect(try store.photos.counts()[.pending] == 60)
        let stored = try #require(try store.passages.passage(clientID: passages[3].clientID))
        let photo = try #require(try store.photos.record(sha256: stored.passage.photoSHA256 ?? ""))
        #expect(try photos.verify(photo))
        #expect(try store.findDamage() == nil)
        // Once more changes nothing.
        let again = try salvage.takeAll(at: now)
        #expect(again.passages == 0 && again.unsent == 0)
        #expect(try store.passages.list(limit: 1000).count == 60)
    }

    @Test(arguments: [Seed.drawn()])
    func `gives what stands on its good pages, and lets recording go on meanwhile`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        // Pages of the schema are left alone: without them nothing can be read.
        let empty = try Store(path: folder.appendingPathComponent("empty.sqlite").path)
        let firstPage = try empty.read("Counting pages") { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try empty.close()
        _ = try makeDatabase(600)
        let (store, aside) = try setAside()
        defer { try? store.close() }
        let count = (try FileManager.default.attributesOfItem(atPath: aside)[.size] as? Int ?? 0) / 4096
        // The log holds nothing that the file doesn't: pages are read from the file.
        unlink(aside + "-wal")
        let pages = (0..<max(1, count / 30)).map { _ in Int.random(in: firstPage..<count, using: &generator) }
        try spoil(aside, pages: pages)
        #expect(firstPage > 50 && count > firstPage, "\(firstPage) of \(count)")
        let salvage = try Salvage(aside, into: store, photos: photos)
        defer { salvage.close() }
        let writer = Task.detached {
            for number in 0..<50 {
                try store.passages.record(
                    samplePassage("BA 9 PA \(number)", at: 5000 + Double(number)), at: minute(5000))
            }
        }
        let report = try salvage.takeAll(at: now)
        try await writer.value
        #expect(report.passages > 300, "\(report), pages \(pages)")
        #expect(try store.passages.list(limit: 1000).count == report.passages + 50)
        let unheard = try store.read("Counting") {
            try Int.fetchOne(
                $0,
                sql: """
                    SELECT count(*) FROM passages WHERE server_id IS NULL
                        AND client_id NOT IN (SELECT passage_client_id FROM sync_queue WHERE entity = 'passage')
                    """)
        }
        #expect(unheard == 0, "each is known to be at the server, or waits for it")
        #expect(try store.findDamage() == nil)
        let photos = try store.passages.list(limit: 1000).filter {
            $0.passage.photoSHA256 != nil && $0.photoRemovedAt == nil
        }
        #expect(photos.count == report.passages)
    }

    @Test
    func `sends what waited for the server though its place in line can't be read, and nothing that the server has`()
        throws
    {
        let passages = try makeDatabase(60)
        let (store, aside) = try setAside()
        defer { try? store.close() }
        // What is on record, sent and waiting, lost its place; one that waited was withdrawn before.
        let database = try DatabaseQueue(path: aside)
        let withdrawn = passages[53].clientID
        try database.write { db in
            for number in [7, 51, 52, 53] {
                try db.execute(
                    sql: "DELETE FROM sync_queue WHERE passage_client_id = ?",
                    arguments: [passages[number].clientID.stored])
            }
            try db.execute(
                sql: "DELETE FROM photo_uploads WHERE passage_client_id = ?", arguments: [passages[51].clientID.stored])
            try db.execute(
                sql: "UPDATE passages SET withdrawn_at = 1 WHERE client_id = ?", arguments: [withdrawn.stored])
        }
        try database.close()
        let salvage = try Salvage(aside, into: store, photos: photos)
        defer { salvage.close() }
        let report = try salvage.takeAll(at: now)
        #expect(report.passages == 60 && report.unsent == 9)
        let waiting = try store.queue.entries(status: .pending).map(\.passageClientID)
        #expect(Set(waiting) == Set(passages.suffix(10).map(\.clientID)).subtracting([withdrawn]))
        #expect(waiting.count == 9 && waiting.suffix(2) == [passages[51].clientID, passages[52].clientID])
        #expect(try store.photos.counts()[.pending] == 60)
        #expect(try salvage.takeAll(at: now).unsent == 0)
    }

    @Test func `gives nothing twice: a picture that was read again since, and what the server gave back`() throws {
        let passages = try makeDatabase(30)
        let (store, aside) = try setAside()
        defer { try? store.close() }
        // The camera's folder still held the last picture: it waited for the server, and waits again under another id.
        let again = samplePassage(passages[29].plate.canonical, at: 29)
        try store.passages.record(again, at: now)
        // The server gave back one that it has, without its photo.
        let known = RestoredPassage(
            passage: {
                var passage = passages[2]; passage.photoSHA256 = nil; return passage
            }(), serverID: UUID(),
            smsClientID: nil, photoPath: "passage-photos/x.jpg")
        try store.reconciliation.restore([known])
        let salvage = try Salvage(aside, into: store, photos: photos)
        defer { salvage.close() }
        let report = try salvage.takeAll(at: now)
        #expect(report.passages == 28)
        #expect(try store.passages.list(limit: 100).count == 30)
        #expect(try store.queue.entries(status: .pending).count == 10)
        #expect(
            try store.passages.passage(clientID: passages[2].clientID)?.passage.photoSHA256 == passages[2].photoSHA256)
        #expect(try store.queue.entries(limit: 100).map(\.id).min() ?? 0 > 0)
    }

    @Test func `says so when nothing of it can be read`() throws {
        _ = try makeDatabase(20)
        let (store, aside) = try setAside()
        defer { try? store.close() }
        try spoil(aside, pages: [0])
        unlink(aside + "-wal")
        #expect(throws: StoreError.self) { try Salvage(aside, into: store, photos: photos) }
    }

    @Test func `leaves its numbers to itself: the new one goes on far above them`() throws {
        _ = try makeDatabase(20)
        let (store, _) = try setAside()
        defer { try? store.close() }
        try store.passages.record(samplePassage(), at: now)
        #expect(try store.queue.entries()[0].id > 1_000_000)
        #expect(try store.cursors.value(SyncCursor.sightingFloor) ?? 0 > 1_000_000)
    }
}
