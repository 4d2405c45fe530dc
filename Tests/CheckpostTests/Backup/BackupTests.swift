import Enforcement
import Foundation
import Logging
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("A backup of the box", .timeLimit(.minutes(10)))
struct BackupTests {
    private let folder: TemporaryFolder
    private let now = Instant(milliseconds: 1_795_255_200_000)
    private var database: String { folder["data/checkpost.sqlite"].path }
    private var stick: String { folder["stick"].path }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["data", "stick"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
    }

    private func configuration(_ place: BackupPlace? = nil) -> Configuration {
        var configuration = Configuration.pilot
        configuration.dataFolder = folder["data"].path
        configuration.backup = place ?? BackupPlace(kind: .folder(stick))
        return configuration
    }

    private func record(_ store: Store, _ plate: String, at time: Instant) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: Configuration.pilot.post.code, recordedAt: time, clockState: .synchronised, confidence: 0.9,
            origin: .camera, photoSHA256: nil)
        try store.passages.record(passage, at: time)
        return passage
    }

    private func account(_ store: Store, _ name: String) throws {
        try store.accounts.add(
            User(
                name: name, fullName: name, role: .ranger, origin: .box, passwordHash: "hash of \(name)",
                createdAt: now))
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: stick)) ?? []).sorted()
    }

    @Test func `is made each day, checked, named by its time, and rotated`() throws {
        let store = try Store(path: database)
        defer { try? store.close() }
        _ = try record(store, "BA 1 PA 1", at: now)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let worker = BackupWorker(configuration(), store: store, alarms: AlarmBoard(store: store, log: log), log: log)
        try Data("other".utf8).write(to: folder["stick/holiday.jpg"])
        for day in 0..<20 { worker.make(at: now + .days(Double(day))) }
        let backups = files.filter { $0.hasSuffix(".sqlite") }
        #expect((7...11).contains(backups.count), "\(backups)")
        let first = try #require(backups.first)
        #expect(Backups.time(of: first, post: Configuration.pilot.post.code) != nil)
        #expect(Backups.time(of: "holiday.jpg", post: "BNP-A") == nil)
        #expect(Backups.newest(in: stick, post: Configuration.pilot.post.code)?.hasSuffix(backups.last ?? "?") == true)
        #expect(files.contains("holiday.jpg"))
        for name in backups { #expect(try DatabaseCopy.check(stick + "/" + name).passages == 1) }
        #expect(try store.alarms.list().isEmpty)
    }

    @Test func `that can't be made is told at once when there is none, and after two days otherwise`() throws {
        let store = try Store(path: database)
        defer { try? store.close() }
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let worker = BackupWorker(configuration(), store: store, alarms: AlarmBoard(store: store, log: log), log: log)
        func alarm() throws -> Alarm? { try store.alarms.list().first { $0.key == "backup" } }
        try FileManager.default.removeItem(atPath: stick)
        worker.make(at: now)
        #expect(try alarm()?.message.contains("There is no backup yet.") == true)
        #expect(try alarm()?.message.contains("is not there") == true)
        #expect(!FileManager.default.fileExists(atPath: stick), "no backup lies on the disk that it stands in for")
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        worker.make(at: now + .hours(1))
        #expect(try alarm() == nil)
        try FileManager.default.removeItem(atPath: stick)
        worker.make(at: now + .hours(25))
        #expect(try alarm() == nil)
        worker.make(at: now + .hours(50))
        #expect(try alarm()?.message.contains("The last good backup is of 2026-11-") == true)
    }

    @Test func `goes to the stick with a label, wherever it is mounted, and says when it isn't`() throws {
        var place = BackupPlace(kind: .label("PARK 1"))
        place.labels = folder["labels"].path
        place.mounts = folder["mounts"].path
        try FileManager.default.createDirectory(at: folder["labels"], withIntermediateDirectories: true)
        try Data().write(to: folder["sdb1"])
        try "1 2 8:1 / / rw - ext4 /dev/sda1 rw\n".write(to: folder["mounts"], atomically: true, encoding: .utf8)
        let absent = #expect(throws: AdvisedError.self) { try place.folder() }
        #expect(absent?.description.contains("plugged in") == true)
        try FileManager.default.createSymbolicLink(
            atPath: place.labels + "/PARK\\x201", withDestinationPath: folder["sdb1"].path)
        let unmounted = #expect(throws: AdvisedError.self) { try place.folder() }
        #expect(unmounted?.description.contains("/etc/fstab") == true)
        let device = try #require(realpath(folder["sdb1"].path, nil).map { String(cString: $0) })
        try "1 2 8:1 / / rw - ext4 /dev/sda1 rw\n3 2 8:17 / \(stick) rw,noatime shared:1 - vfat \(device) rw\n".write(
            to: folder["mounts"], atomically: true, encoding: .utf8)
        #expect(try place.folder() == stick + "/checkpost-backups")
        #expect(FileManager.default.fileExists(atPath: stick + "/checkpost-backups"))
    }

    @Test func `is restored whole, with what was there kept, and not while the box runs`() throws {
        let store = try Store(path: database)
        let old = try record(store, "BA 1 PA 1", at: now)
        let made = try Backups(configuration(), store: store).make(at: now)
        _ = try record(store, "BA 1 PA 2", at: now + .hours(1))
        try store.close()
        do {
            let lock = try RunLock(folder: folder["data"].path)
            defer { withExtendedLifetime(lock) {} }
            #expect(throws: AdvisedError.self) { try Restoration.whole(made.path, into: database, at: now) }
        }
        try Data("damaged\n".utf8).write(to: folder["data/checkpost.sqlite.damage"])
        let report = try Restoration.whole(made.path, into: database, at: now + .hours(2))
        let mark = folder["data/checkpost.sqlite.damage"].path
        #expect(!FileManager.default.fileExists(atPath: mark), "the next start must not take this one for damaged")
        let restored = try Store(path: database)
        #expect(try restored.passages.list().map(\.passage.clientID) == [old.clientID])
        #expect(
            try restored.cursors.value(SyncCursor.olderWantedBefore) != nil, "it knows that it is of an earlier day")
        #expect(try restored.cursors.value(SyncCursor.sightingFloor) != nil)
        try restored.close()
        let former = try Store(path: try #require(report.former))
        #expect(try former.passages.list().count == 2)
        try former.close()
        #expect(try DatabaseCopy.check(made.path).passages == 1, "the backup stays as it is")
        try Data("rubbish".utf8).write(to: folder["stick/rubbish.sqlite"])
        #expect(throws: StoreError.self) {
            try Restoration.whole(folder["stick/rubbish.sqlite"].path, into: database, at: now)
        }
        #expect(try DatabaseCopy.check(database).passages == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder["data"].path)
        #expect(left.allSatisfy { !$0.contains(".restor") }, "\(left)")
    }

    @Test func `of another post, or the database itself, is not restored`() throws {
        let store = try Store(path: database)
        _ = try record(store, "BA 1 PA 1", at: now)
        let backup = stick + "/copy.sqlite"
        _ = try store.copy(to: backup)
        try store.close()
        let other = #expect(throws: AdvisedError.self) {
            try Restoration.whole(backup, into: database, of: "BNP-X", at: now)
        }
        #expect(other.map { "\($0)" }?.contains("is a backup of \(Configuration.pilot.post.code)") == true)
        #expect(throws: AdvisedError.self) { try Restoration.whole(database, into: database, at: now) }
        #expect(try Restoration.whole(backup, into: database, of: Configuration.pilot.post.code, at: now).former != nil)
    }

    @Test func `a file that is no backup is refused by its own name, and the database is not touched`() throws {
        try Store(path: database).close()
        try Data("a letter".utf8).write(to: folder["stick/letter.txt"])
        let foreign = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE passages (id INTEGER)')"
        let made = try OtherProgram.runAndWait("/usr/bin/env", ["python3", "-c", foreign, stick + "/foreign.sqlite"])
        try #require(made.status == 0)
        let files = [
            "letter.txt": "is no backup", "foreign.sqlite": "is no backup", "": "is no backup", "none": "no file",
        ]
        for (name, says) in files {
            let error = #expect(throws: StoreError.self) {
                try Restoration.whole(stick + "/" + name, into: database, at: now)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(stick) && text.contains(says) && text.contains("checkpost backup"), "\(text)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder["data"].path)
        #expect(left.allSatisfy { !$0.contains("restor") }, "\(left)")
    }

    @Test func `is not made beside the records`() throws {
        let store = try Store(path: database)
        defer { try? store.close() }
        _ = try record(store, "BA 1 PA 1", at: now)
        let backups = Backups(configuration(), store: store)
        let link = folder["elsewhere"].path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder["data"].path)
        for beside in [folder["data"].path, folder["data"].path + "/backups", link] {
            let error = #expect(throws: AdvisedError.self) { try backups.make(into: beside, at: now) }
            #expect(error.map { "\($0)" }?.contains("on another disk") == true)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a small disk can't be mounted here: run the tests as root"))
    func `says when the medium is too small, and counts as none`() throws {
        let store = try Store(path: database)
        defer { try? store.close() }
        _ = try record(store, "BA 1 PA 1", at: now)
        let backups = Backups(configuration(), store: store)
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        disk.fill()
        let error = #expect(throws: StoreError.self) { try backups.make(into: disk.folder.path, at: now) }
        #expect(error.map { "\($0)" }?.contains("doesn't fit on the disk") == true, "\(String(describing: error))")
        #expect(try store.backups.last(onlyGood: true) == nil)
    }

    @Test func `gives accounts and settings alone to a box that has records of its own`() throws {
        let store = try Store(path: database)
        try account(store, "sita")
        try store.settings.replace(["sms.gateway_number": "\"+9779800000000\""], from: .server, at: now)
        let made = try Backups(configuration(), store: store).make(at: now)
        try store.close()
        for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
        let new = try Store(path: database)
        defer { try? new.close() }
        try account(new, "ram")
        let own = try record(new, "BA 1 PA 9", at: now)
        #expect(try Restoration.accounts(of: made.path, into: new) == 1)
        #expect(try new.accounts.users().map(\.name).sorted() == ["ram", "sita"])
        #expect(try new.settings.all() == ["sms.gateway_number": "\"+9779800000000\""])
        #expect(try new.passages.list().map(\.passage.clientID) == [own.clientID])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder["data"].path).allSatisfy {
                !$0.contains("accounts")
            })
    }

    @Test(arguments: [
        ("[backup]\n", "needs \"folder\" or \"label\""),
        ("[backup]\nfolder = \"/mnt/x\"\nlabel = \"X\"\n", "not both"),
        ("[backup]\nfolder = \"/etc/checkpost/data/backup\"\n", "in the data folder"),
        ("[retention]\npassage_days = 30\n", "100"), ("[retention]\nphoto_days = 0\n", "1 to 3650"),
    ])
    func `is refused where it would be none, and terms where they can't stand`(section: String, says: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read(text: PostFile.text + section, path: "x.toml", relativeTo: "/etc/checkpost")
        }
        #expect(error.map { "\($0)" }?.contains(says) == true, "\(String(describing: error))")
    }

    @Test func `and terms of what is kept are read from the file, and over it from the server`() throws {
        let text =
            PostFile.text + "[backup]\nlabel = \"PARK\"\n[retention]\nphoto_days = 100\ncompliant_photo_days = 7\n"
        let read = try ConfigurationReader.read(text: text, path: "x.toml", relativeTo: "/etc/checkpost")
        #expect(read.backup == BackupPlace(kind: .label("PARK")))
        #expect(read.retention.photos == .days(100) && read.retention.compliantPhotos == .days(7))
        let server = ServerSettings(["retention.photo_days": "200", "retention.passage_days": "5"])
        let (settings, problems) = RetentionTuning.settings(of: read.retention, under: server)
        #expect(settings.photos == .days(200) && settings.passages == .days(365))
        #expect(problems.count == 1 && problems[0].contains("retention.passage_days = 5"))
        #expect(server.otherProblems == problems)
    }
}
