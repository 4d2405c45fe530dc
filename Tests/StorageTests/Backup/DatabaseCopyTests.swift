import Enforcement
import Foundation
import GRDB
import TestKit
import Testing

@testable import Storage

@Suite("A copy of the database", .timeLimit(.minutes(10)))
struct DatabaseCopyTests {
    private let test: TestStore
    private var copy: String { test.folder.appendingPathComponent("copy.sqlite").path }

    init() throws { test = try TestStore() }

    private func record(_ numbers: Range<Int>) throws {
        for number in numbers {
            try test.store.passages.record(samplePassage("BA 1 PA \(number)", at: Double(number)), at: minute(0))
        }
    }

    @Test func `is whole, of one moment and in one file, though the box records meanwhile`() async throws {
        try record(0..<200)
        let store = test.store
        let writer = Task.detached {
            for number in 1000..<1200 {
                try store.passages.record(samplePassage("BA 9 PA \(number)", at: Double(number)), at: minute(0))
            }
        }
        let contents = try test.store.copy(to: copy)
        try await writer.value
        #expect(contents.passages >= 200 && contents.passages <= 400)
        #expect(contents.waiting == contents.passages)
        #expect(try DatabaseCopy.check(copy) == contents)
        for suffix in ["-wal", "-shm", "-journal", ".part"] {
            #expect(!FileManager.default.fileExists(atPath: copy + suffix))
        }
        #expect(try test.store.passages.list(limit: 1000).count == 400)
    }

    @Test func `is not taken for good when it is damaged, or of a newer program`() throws {
        try record(0..<300)
        _ = try test.store.copy(to: copy)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
        let length = try file.seekToEnd()
        try file.seek(toOffset: 4096 * 3)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(length) - 4096 * 4))
        try file.close()
        #expect(throws: StoreError.self) { try DatabaseCopy.check(copy) }
        try Data("no database at all, whatever its name says".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(throws: StoreError.self) { try DatabaseCopy.check(copy) }
        unlink(copy)
        _ = try test.store.copy(to: copy)
        let queue = try DatabaseQueue(path: copy)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99 of tomorrow')") }
        try queue.close()
        #expect(#expect(throws: StoreError.self) { try DatabaseCopy.check(copy) }?.kind == .newerVersion)
    }

    @Test func `leaves nothing under its name when the second place is full`() throws {
        guard SmallDisk.isPossible else { return }
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        try record(0..<2000)
        let path = disk.folder.appendingPathComponent("copy.sqlite").path
        #expect(throws: StoreError.self) { try test.store.copy(to: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).isEmpty)
    }

    @Test func `gives no number twice after it took the place of a later database`() throws {
        try record(0..<3)
        try test.store.frames.commit(
            FrameCommit(camera: "gate", trackerState: Data("{}".utf8), open: [sampleSighting(7)], at: minute(0)))
        _ = try test.store.copy(to: copy)
        let later = try test.store.passages.list(limit: 1)[0].passage.clientID
        try test.store.passages.correct(
            clientID: later, to: Plate(canonical: "BA 2 PA 1"), reason: "misread", by: "ram", at: minute(1))
        let lost = try test.store.queue.entries(limit: 10).map(\.id).max() ?? 0

        let restored = try Store(path: copy)
        defer { try? restored.close() }
        try restored.cursors.set(SyncCursor(name: "pull_own_1", value: 5), at: minute(0))
        try restored.beginAnewFromBackup(at: minute(5))
        try restored.passages.correct(
            clientID: later, to: Plate(canonical: "BA 3 PA 1"), reason: "misread", by: "ram", at: minute(6))
        let entries = try restored.queue.entries(limit: 10)
        #expect((entries.map(\.id).max() ?? 0) > lost + 1_000_000)
        #expect(try restored.cursors.value("pull_own_1") == nil, "the server is read from the start")
        #expect(try restored.cursors.value(SyncCursor.sightingFloor) ?? 0 > 1_000_000)
        #expect(try restored.frames.trackerState(camera: "gate") == nil)
        #expect(try restored.sightings.list(in: .open).isEmpty)
        // What waited may have been sent since the backup: no text is paid twice.
        #expect(try !test.store.messages.waiting().isEmpty && restored.messages.waiting().isEmpty)
    }

    @Test func `keeps photos without a record for a month, and forgets those that are gone`() throws {
        let kept = try test.photos.keep(Data([0xFF, 0xD8, 1]), recordedAt: minute(0), at: minute(0))
        let gone = try test.photos.keep(Data([0xFF, 0xD8, 2]), recordedAt: minute(0), at: minute(0))
        let orphan = try test.photos.keep(Data([0xFF, 0xD8, 3]), recordedAt: minute(0), at: minute(0))
        try test.store.frames.commit(
            FrameCommit(
                camera: "gate", photos: [kept, gone],
                recordings: [kept, gone].map { .init(passage: samplePassage(photoSHA256: $0.sha256), sighting: nil) },
                at: minute(0)))
        try test.photos.remove(gone)
        let now = Instant(seconds: Date().timeIntervalSince1970)
        try test.store.beginAnewFromBackup(at: now)
        #expect(try test.store.forgetMissingPhotos(of: test.photos, at: now) == 1)
        #expect(try test.store.photos.record(sha256: kept.sha256) != nil)
        #expect(try test.store.photos.record(sha256: gone.sha256) == nil)
        #expect(try test.photos.removeOrphans(in: test.store, writtenBefore: now + .days(29)) == 0)
        #expect(try test.photos.verify(orphan))
        #expect(try test.photos.removeOrphans(in: test.store, writtenBefore: now + .days(31)) == 1)
    }
}
