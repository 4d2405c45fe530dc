import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("A database that a newer version wrote", .timeLimit(.minutes(10)))
struct ReturnedDatabaseTests {
    private let folder: TemporaryFolder
    private let now = BoxClock.now
    private let machine: UpdateMachine
    private let configuration: String
    private var database: String { folder["data/checkpost.sqlite"].path }
    private var returned: ReturnedDatabase { ReturnedDatabase(place: BoxPlace(config: configuration)) }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["data", "incoming", "backups"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
        configuration = try folder.write(PostFile.text, to: "checkpost.toml").path
        machine = UpdateMachine(version: "2.0.0", former: "1.0.0", at: now)
    }

    private func record(_ store: Store, _ plate: String, minutes: Double) throws {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: now + .minutes(minutes), clockState: .synchronised, confidence: 0.9,
            origin: .camera, photoSHA256: nil)
        try store.passages.record(passage, at: passage.recordedAt)
    }

    private func plates() throws -> [String] {
        let store = try Store(path: database)
        defer { try? store.close() }
        return try store.passages.list(limit: 100).map(\.passage.plate.canonical).sorted()
    }

    /// What another version's migrations would leave, by a library of its own.
    private func sql(_ text: String) throws {
        let said = try OtherProgram.runAndWait(
            "/usr/bin/python3",
            [
                "-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2])", database,
                text,
            ])
        #expect(said.status == 0, "\(said.output)")
    }

    private func kept() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder["data"].path).filter {
            $0.contains("before-restore") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
    }

    /// - Returns: the backup from before.
    private func trial(_ newer: String) throws -> String {
        let store = try Store(path: database)
        try store.accounts.add(
            User(name: "sita", fullName: "Sita", role: .ranger, origin: .box, passwordHash: "hash", createdAt: now))
        try record(store, "BA 1 PA 1", minutes: -2)
        let backup = folder["backups/BNP-A-20261123T030000Z.sqlite"].path
        _ = try store.copy(to: backup)
        try record(store, "BA 1 PA 2", minutes: -1)
        try record(store, "BA 1 PA 3", minutes: 1)
        try store.close()
        try sql("INSERT INTO grdb_migrations VALUES ('99 of the future'); " + newer)
        #expect(throws: StoreError.self) { try Store(path: database) }
        return backup
    }

    @Test func `stays as it is where the version before can read it`() throws {
        let store = try Store(path: database)
        try record(store, "BA 1 PA 1", minutes: 0)
        try store.close()
        try returned.restore(from: folder["none"].path, of: machine)
        #expect(try plates() == ["BA 1 PA 1"])
        #expect(try kept() == [])
    }

    @Test func `is taken over whole where it only knows more`() throws {
        let backup = try trial(
            "ALTER TABLE passages ADD COLUMN colour TEXT; UPDATE passages SET colour = 'red'; CREATE TABLE future (x);")
        try returned.restore(from: backup, of: machine)
        #expect(try plates() == ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        let store = try Store(path: database)
        defer { try? store.close() }
        #expect(try store.accounts.users().map(\.name) == ["sita"])
        // Each waits for the server as it did, and numbers go on.
        #expect(try store.queue.entries(limit: 10).count == 3)
        try record(store, "BA 1 PA 4", minutes: 2)
        #expect(try Set(store.queue.entries(limit: 10).map(\.id)).count == 4)
        #expect(try kept().count == 1)
        #expect(Presence.of(folder["data/newer-\(now.fileStamp)"].path) == .absent)
        // A second time, after a power cut, changes nothing.
        try returned.restore(from: backup, of: machine)
        #expect(
            try plates() == ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"].sorted() || store.passages.list(limit: 9).count == 4
        )
    }

    private func bringHome(_ store: Store) throws -> [Alarm] {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let homecoming = Homecoming(
            try ConfigurationReader.read(path: configuration), store: store,
            alarms: AlarmBoard(store: store, log: log), log: log)
        homecoming.begin(at: now)
        #expect(try store.accounts.users().map(\.name) == ["sita"])
        homecoming.finish(at: now)
        return try store.alarms.list().filter { $0.key.hasPrefix("disk.home") }
    }

    @Test(arguments: [true, false])
    func `comes home row by row where not all of it has a place, with a backup and without`(hasBackup: Bool) throws {
        let backup = try trial("ALTER TABLE alarms RENAME COLUMN hint TO advice;")
        try returned.restore(from: hasBackup ? backup : nil, of: machine)
        #expect(try plates() == (hasBackup ? ["BA 1 PA 1"] : []))
        let store = try Store(path: database)
        defer { try? store.close() }
        let told = try bringHome(store)
        #expect(try plates() == ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
        #expect(told.contains { $0.message.contains("by a newer version of the program is home") }, "\(told)")
        #expect(try kept().count == 1)
    }

    @Test func `is kept, and told, where rows lack what the version before needs`() throws {
        let backup = try trial("ALTER TABLE passages RENAME COLUMN plate_raw TO plate_seen;")
        try returned.restore(from: backup, of: machine)
        let store = try Store(path: database)
        defer { try? store.close() }
        #expect(try bringHome(store).contains { $0.message.contains("Not everything") })
        #expect(Presence.of(folder["data/newer-\(now.fileStamp)/checkpost.sqlite"].path) == .there)
    }

    @Test(arguments: [0, 1, 2])
    func `is whole after a power cut between any two renames`(cut: Int) throws {
        let backup = try trial("CREATE TABLE future (x);")
        let aside = folder["data/newer-\(now.fileStamp)"].path
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
        // As far as it had come.
        if cut > 0 { rename(database + "-wal", aside + "/checkpost.sqlite-wal") }
        if cut > 1 { rename(database, aside + "/checkpost.sqlite") }
        try returned.restore(from: backup, of: machine)
        #expect(try plates() == ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"])
    }
}
