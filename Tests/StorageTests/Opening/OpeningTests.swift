import Enforcement
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Storage

@Suite("A box's database at its start", .timeLimit(.minutes(10)))
struct OpeningTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("checkpost.sqlite").path }

    init() throws { folder = try TestStore.makeFolder() }

    private func makeDatabase(passages: Int = 300) throws {
        let store = try Store(path: path)
        let recordings = (0..<passages).map {
            FrameCommit.Recording(
                passage: samplePassage("BA 1 PA \($0)", at: Double($0)), sighting: sampleSighting($0 + 1))
        }
        try store.frames.commit(FrameCommit(camera: "gate", recordings: recordings, at: minute(0)))
        try store.otherPost.upsert(
            (0..<passages).map { sampleRemote("BA 2 PA \($0)", at: Double($0)) }, at: minute(0))
        try store.close()
    }

    /// Waits until something is so; bounded.
    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<200 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    // MARK: A full disk

    @Test func `shows that it can be written by a page that is on the disk`() throws {
        try makeDatabase(passages: 1)
        let store = try Store(path: path)
        func logBytes() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        }
        try store.tryWriting()
        let before = try logBytes()
        try store.tryWriting()
        #expect(try logBytes() >= before + 4096)
        #expect(try store.findDamage() == nil)
        try store.close()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs to mount a small disk"))
    func `waits on a full disk, says so, and opens by itself when there is room`() async throws {
        let disk = try SmallDisk(megabytes: 2)
        defer { disk.remove() }
        let path = disk.folder.appendingPathComponent("checkpost.sqlite").path
        try Store(path: path).close()
        // As after a start of another program on the database: nothing is left of what SQLite keeps beside it.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        let filler = disk.folder.appendingPathComponent("filler")
        try disk.fill(filler)
        let opening = try Store.openForRun(path: path, at: minute(0))
        #expect(opening.waitsFor?.kind == .diskFull)
        #expect(opening.waitsFor?.message.contains("disk is full") == true)
        #expect(opening.setAside == nil)
        let store = opening.store
        let refusal = #expect(throws: StoreError.self) { try store.passages.record(samplePassage(), at: minute(0)) }
        #expect(refusal?.kind == .diskFull)
        #expect(!store.isOpen)
        try FileManager.default.removeItem(at: filler)
        #expect(try await eventually { store.isOpen })
        #expect(try store.passages.record(samplePassage(), at: minute(0)))
        #expect(try store.synchronousLevel() == 2)
        try store.close()
    }

    // MARK: Damage

    @Test func `is opened as it is when it is sound`() throws {
        try makeDatabase()
        let opening = try Store.openForRun(path: path, at: minute(0))
        #expect(opening.waitsFor == nil && opening.setAside == nil)
        #expect(try opening.store.figures.now().passages == 300)
        #expect(opening.store.checkSoundness(seconds: 10) == .sound)
        try opening.store.close()
    }

    @Test func `is set aside with its photos when it is no database, and a new one is begun`() throws {
        try Data(String(repeating: "This is a letter. ", count: 500).utf8).write(to: URL(fileURLWithPath: path))
        let photo = folder.appendingPathComponent("photos/2026-11-21/a.jpg")
        try FileManager.default.createDirectory(
            at: photo.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: photo)
        let opening = try Store.openForRun(path: path, at: minute(0))
        let setAside = try #require(opening.setAside)
        #expect(try Data(contentsOf: URL(fileURLWithPath: setAside.path)).starts(with: Data("This is a letter.".utf8)))
        #expect(Store.setAsideFiles(path: path).count == 1)
        #expect(try opening.store.passages.record(samplePassage(), at: minute(0)))
        #expect(!FileManager.default.fileExists(atPath: photo.path))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let kept = try #require(names.first { $0.hasPrefix("photos.damaged-") })
        #expect(FileManager.default.fileExists(atPath: folder.path + "/\(kept)/2026-11-21/a.jpg"))
        try opening.store.close()
    }

    @Test func `is set aside when SQLite spoke of damage in two runs, whatever a check says`() throws {
        try makeDatabase(passages: 3)
        let mark = DamageMark(path: path)
        mark.add("Reading passages failed: malformed.")
        let once = try Store.openForRun(path: path, at: minute(0))
        #expect(once.setAside == nil)
        try once.store.close()
        mark.add("Reading passages failed: malformed.")
        let twice = try Store.openForRun(path: path, at: minute(0))
        #expect(twice.setAside?.reason.contains("malformed") == true)
        #expect(mark.lines.isEmpty)
        try twice.store.close()
    }

    @Test func `keeps each file that is set aside in the same second`() throws {
        for _ in 0..<3 {
            for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
            try Store.openForRun(path: path, at: minute(0)).store.close()
        }
        #expect(Store.setAsideFiles(path: path).count == 3)
    }

    /// One page of random bytes somewhere: it is found at the start, or when it is met and then at the next start, and passages are
    /// recorded in either case.
    @Test(arguments: [Seed.drawn()])
    func `records again after at most one further start, whichever page is damaged, and is never silent`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        try makeDatabase()
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        let pages = sound.count / 4096
        for number in 0..<20 {
            var damaged = sound
            let page = Int.random(in: 0..<pages, using: &random)
            damaged.replaceSubrange(
                page * 4096..<(page + 1) * 4096, with: (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
            )
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            try damaged.write(to: URL(fileURLWithPath: path))
            var starts = 0
            var isTold = false
            var isRecorded = false
            while !isRecorded, starts < 3 {
                starts += 1
                let opening = try Store.openForRun(path: path, at: minute(0))
                let met = Mutex(false)
                opening.store.onDamage { _ in met.withLock { $0 = true } }
                _ = try? opening.store.figures.now()
                _ = try? opening.store.passages.list(limit: 1000)
                isRecorded = (try? opening.store.passages.record(samplePassage("BA 9 PA 9"), at: minute(1))) == true
                _ = opening.store.checkSoundness(seconds: 10)
                isTold = isTold || opening.setAside != nil || met.withLock { $0 }
                if met.withLock({ $0 }) { isRecorded = false }
                try? opening.store.close()
            }
            #expect(isRecorded, "seed \(seed), database \(number), page \(page)")
            #expect(starts <= 2, "seed \(seed), database \(number), page \(page)")
            #expect(isTold, "seed \(seed), database \(number), page \(page)")
        }
    }

    @Test func `is left alone when a newer version wrote it`() throws {
        var newer = Migrations.migrator
        newer.registerMigration("99 later") { _ in }
        try Store(path: path, migrator: newer, maximumPages: nil).close()
        let error = #expect(throws: StoreError.self) { try Store.openForRun(path: path, at: minute(0)) }
        #expect(error?.kind == .newerVersion)
        #expect(error?.hint?.contains("None that fits") == true)
        #expect(Store.setAsideFiles(path: path).isEmpty)
    }

    @Test func `of a newer version names the newest backup that can be gone back to`() throws {
        try makeDatabase()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let old = folder.appendingPathComponent("old.sqlite").path
        let older = folder.appendingPathComponent("older.sqlite").path
        for copy in [old, older] { try Store(path: copy).close() }
        var newer = Migrations.migrator
        newer.registerMigration("99 later") { _ in }
        let late = folder.appendingPathComponent("late.sqlite").path
        try Store(path: late, migrator: newer, maximumPages: nil).close()
        let store = try Store(path: path, migrator: newer, maximumPages: nil)
        for (copy, at, problem) in [
            (older, 1.0, nil), (old, 2.0, nil), ("/nowhere/gone.sqlite", 3.0, nil), (older, 4.0, "the stick was full"),
            (late, 5.0, nil),
        ] as [(String, Double, String?)] {
            try store.backups.record(BackupRecord(at: minute(at), path: copy, problem: problem))
        }
        try store.close()
        let error = #expect(throws: StoreError.self) { try Store(path: path) }
        #expect(error?.hint?.contains("`checkpost restore \(old)`") == true, "\(error?.hint ?? "")")
    }

    @Test func `tells of damage once, and leaves a mark`() throws {
        try makeDatabase()
        let store = try Store(path: path)
        let told = Mutex(0)
        store.onDamage { _ in told.withLock { $0 += 1 } }
        var error = StoreError(.corrupt, "Reading failed.")
        error.isFileDamaged = true
        store.noteDamage(error)
        store.noteDamage(error)
        store.noteDamage(StoreError(.corrupt, "A row makes no sense."))
        #expect(told.withLock { $0 } == 1)
        #expect(DamageMark(path: path).lines == ["Reading failed."])
        try store.close()
    }

    // MARK: Late photos

    @Test func `gives a photo that was kept late to its passage, and to the server`() throws {
        let test = try TestStore()
        let passage = samplePassage()
        try test.store.frames.commit(
            FrameCommit(
                camera: "gate", recordings: [.init(passage: passage, sighting: sampleSighting(sha256: sampleHash(5)))],
                at: minute(0)))
        #expect(try test.store.photos.dueUploads(limit: 10).isEmpty)
        #expect(try test.store.photos.attach(samplePhoto(5), at: minute(9)) == 1)
        #expect(try test.store.photos.attach(samplePhoto(5), at: minute(9)) == 0)
        #expect(try test.store.passages.passage(clientID: passage.clientID)?.passage.photoSHA256 == sampleHash(5))
    }

    // MARK: A log that is removed

    @Test func `whose removed log one part has brought home is sound for the others, though a new log was begun since`()
        throws
    {
        try makeDatabase(passages: 1)
        let parts = try [Store(path: path), Store(path: path)]
        let told = Mutex<[String]>([])
        for part in parts {
            part.onDamage { error in told.withLock { $0.append(error.message) } }
            try part.tryWriting()
            part.checkPlace()
        }
        #expect(told.withLock { $0.isEmpty })
        unlink(path + "-wal")
        parts[0].checkPlace()
        let late = try Store(path: path)
        try late.alarms.raise("part.camera.gate", .critical, "Ended.", at: minute(1))
        #expect(FileIdentity(path: path + "-wal")?.isEmpty == false)
        parts[1].checkPlace()
        #expect(told.withLock { $0.count == 2 && $0.allSatisfy { $0.contains("what was in it is saved") } })
        #expect(DamageMark(path: path).lines.isEmpty)
        try ([late] + parts).forEach { try $0.close() }
        let store = try Store(path: path)
        #expect(try store.alarms.list().map(\.key) == ["part.camera.gate"])
        #expect(try store.findDamage() == nil)
        try store.close()
    }
}
