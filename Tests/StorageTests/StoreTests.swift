import Enforcement
import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("A store", .timeLimit(.minutes(10)))
struct StoreTests {
    @Test func `syncs every commit to the disk, on the connection that writes`() throws {
        let test = try TestStore()
        #expect(try test.store.synchronousLevel() == 2)
        // Still so after a write and on the connection that the write used.
        try test.store.passages.record(samplePassage(), at: minute(0))
        #expect(try test.store.pool.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        #expect(try test.store.pool.write { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test func `refuses a database of a newer version and leaves it as it is`() throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        var newer = Migrations.migrator
        newer.registerMigration("999 from the future") { try $0.execute(sql: "CREATE TABLE future (id INTEGER)") }
        let store = try Store(path: path, migrator: newer, maximumPages: nil)
        try store.passages.record(samplePassage(), at: minute(0))
        try store.close()

        let error = #expect(throws: StoreError.self) { try Store(path: path) }
        #expect(error?.kind == .newerVersion)
        #expect(error?.description.contains("newer version") == true)
        #expect(error?.hint != nil)
        let again = try Store(path: path, migrator: newer, maximumPages: nil)
        defer { try? again.close() }
        #expect(try again.passages.list().count == 1)
    }

    @Test func `brings the users of an older version along, with their locks`() throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        let older = try DatabasePool(path: path)
        try Migrations.migrator.migrate(older, upTo: "5 console")
        try older.write {
            try $0.execute(
                sql: """
                    INSERT INTO users (name, full_name, role, origin, password_hash, failure_count, locked_until, created_at)
                    VALUES ('ram', 'Ram', 'ranger', 'box', 'x', 6, 99, 1)
                    """)
        }
        try older.close()
        let store = try Store(path: path)
        defer { try? store.close() }
        let ram = try #require(try store.accounts.user("ram"))
        #expect(ram.passwordLock == SignInLock(failureCount: 6, lockedUntil: Instant(milliseconds: 99)))
        #expect(ram.pinLock == SignInLock())
    }

    @Test func `says so when the disk is full, and goes on once there is room`() throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        try Store(path: path).close()
        let store = try Store(path: path, migrator: Migrations.migrator, maximumPages: 1)
        defer { try? store.close() }

        var written: [UUID] = []
        let error = #expect(throws: StoreError.self) {
            for number in 0..<5000 {
                let passage = samplePassage("BA 1 PA \(number)", at: Double(number))
                try store.passages.record(passage, at: minute(0))
                written.append(passage.clientID)
            }
        }
        #expect(error?.kind == .diskFull)
        #expect(error?.hint?.contains("Free space") == true)
        // What was answered for is there, each with its queue entry, and nothing half written.
        #expect(try store.figures.now().passages == written.count)
        #expect(try store.queue.counts()[.pending] == written.count)

        try store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        try store.passages.record(samplePassage(), at: minute(0))
        #expect(try store.figures.now().passages == written.count + 1)
    }

    @Test func `says so when its file is no database`() throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("checkpost.sqlite")
        try Data(String(repeating: "This is a letter. ", count: 500).utf8).write(to: file)
        let error = #expect(throws: StoreError.self) { try Store(path: file.path) }
        #expect(error?.kind == .corrupt)
        #expect(error?.hint?.contains("move the file aside") == true)
    }

    @Test func `says so when its folder isn't there`() throws {
        let error = #expect(throws: StoreError.self) { try Store(path: "/nonexistent/folder/checkpost.sqlite") }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.description.contains("/nonexistent/folder") == true)
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `says so when its disk is read-only`() throws {
        let disk = try SmallDisk(megabytes: 1, isReadOnly: true)
        defer { disk.remove() }
        let error = #expect(throws: StoreError.self) {
            try Store(path: disk.folder.appendingPathComponent("checkpost.sqlite").path)
        }
        #expect(error?.kind == .cannotOpen || error?.kind == .readOnly)
        #expect(error?.hint?.contains("write") == true)
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `survives a disk that fills up under it`() throws {
        let disk = try SmallDisk(megabytes: 2)
        defer { disk.remove() }
        let path = disk.folder.appendingPathComponent("checkpost.sqlite").path
        var store = try Store(path: path)
        var written = 0
        let error = #expect(throws: StoreError.self) {
            for number in 0..<20_000 {
                try store.passages.record(samplePassage("BA 1 PA \(number)"), at: minute(0))
                written += 1
            }
        }
        #expect(error?.kind == .diskFull)
        try store.close()
        store = try Store(path: path)
        defer { try? store.close() }
        #expect(try store.figures.now().passages == written)
        #expect(try store.queue.counts()[.pending] == written)
    }

    @Test func `is brought up to date once when several open it at the same moment`() async throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // Several rounds, since they seldom meet in the short moment in which SQLite doesn't wait.
        for round in 0..<25 {
            let path = folder.appendingPathComponent("checkpost-\(round).sqlite").path
            let stores = try await withThrowingTaskGroup(of: Store.self) { group in
                for _ in 0..<4 { group.addTask { try Store(path: path) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for store in stores { try store.passages.record(samplePassage(), at: minute(0)) }
            #expect(try stores[0].figures.now().passages == 4)
            for store in stores { try store.close() }
        }
    }

    @Test func `forgets old decided sightings and unused passages of the other post, never its own`() throws {
        let test = try TestStore()
        let recordings = (1...3).map { number in
            FrameCommit.Recording(passage: samplePassage("BA 1 PA \(number)"), sighting: sampleSighting(number))
        }
        try test.store.frames.commit(
            FrameCommit(camera: "gate", recordings: recordings, reviews: [sampleSighting(4)], at: minute(1)))
        try test.store.otherPost.upsert([sampleRemote(at: 0), sampleRemote(at: 900)], at: minute(900))
        #expect(try test.store.sightings.prune(olderThan: minute(500)) == 3)
        #expect(try test.store.otherPost.prune(olderThan: minute(500)) == 1)
        #expect(try test.store.figures.now().passages == 3)
        #expect(try test.store.sightings.list(in: .review).count == 1)
        #expect(try test.store.sightings.lastNumber(camera: "gate") == 4)
        #expect(try test.store.matches.unmatched(.remote, from: minute(0), to: minute(999)).count == 1)
    }

    @Test func `finds no damage in a sound file, and names it in a damaged one`() throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("checkpost.sqlite")
        let store = try Store(path: file.path)
        for number in 0..<300 { try store.passages.record(samplePassage("BA 1 PA \(number)"), at: minute(0)) }
        #expect(try store.findDamage() == nil)
        try store.close()
        // What still stands in the log would be read from there, and hide the damage.
        let raw = try DatabaseQueue(path: file.path)
        let isBusy = try raw.inDatabase { try Bool.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        #expect(isBusy == false)
        try raw.close()

        let handle = try FileHandle(forUpdating: file)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size - 40_000)
        try handle.write(contentsOf: Data(repeating: 0x55, count: 30_000))
        try handle.close()
        let damaged = try Store(path: file.path)
        defer { try? damaged.close() }
        let finding = Result { try damaged.findDamage() }
        switch finding {
        case .success(let text): #expect(text != nil)
        case .failure(let error): #expect((error as? StoreError)?.kind == .corrupt)
        }
    }

    @Test func `tells a late reader all kinds of changes that it missed`() async throws {
        let test = try TestStore()
        let changes = test.store.changes()
        try test.store.passages.record(samplePassage(), at: minute(0))
        try test.store.alarms.raise("disk", .warning, "The disk is nearly full.", at: minute(0))
        _ = try test.store.frames.commit(FrameCommit(camera: "gate", reviews: [sampleSighting()], at: minute(0)))
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change == [.passage, .queue, .alarm, .review])
    }

    /// Their table has no row ids, and SQLite is silent about such tables.
    @Test func `tells of settings that the server changed`() async throws {
        let test = try TestStore()
        let changes = test.store.changes()
        try test.store.settings.replace(["sync.page_rows": "50"], from: .server, at: minute(0))
        try test.store.alarms.raise("disk", .warning, "The disk is nearly full.", at: minute(0))
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == [.setting, .alarm])
    }

    @Test func `keeps an alarm's first time while it is on, and starts anew after it was cleared`() throws {
        let test = try TestStore()
        #expect(try test.store.alarms.raise("camera", .critical, "Silent for 60 s.", hint: "Look.", at: minute(0)))
        #expect(try test.store.alarms.raise("camera", .critical, "Silent for 90 s.", at: minute(1)) == false)
        #expect(try test.store.alarms.list().map(\.raisedAt) == [minute(0)])
        #expect(try test.store.alarms.list().map(\.message) == ["Silent for 90 s."])
        #expect(try test.store.alarms.clear("camera", at: minute(2)))
        #expect(try test.store.alarms.list().isEmpty)
        #expect(try test.store.alarms.raise("camera", .critical, "Silent again.", at: minute(3)))
        #expect(try test.store.alarms.list().map(\.raisedAt) == [minute(3)])
    }
}
