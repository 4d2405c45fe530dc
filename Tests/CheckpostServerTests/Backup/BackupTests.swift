import Foundation
import Testing

@testable import checkpost_server

@Suite("A backup of the park's server", .serialized, .timeLimit(.minutes(10)))
struct BackupTests {
    private let place = FileManager.default.temporaryDirectory.appendingPathComponent("backup-\(UUID().uuidString)")
    private static let start = Date(timeIntervalSince1970: 1_795_300_000)

    private static func maker(_ server: TestServer, _ database: TestDatabase) throws -> BackupMaker {
        BackupMaker(
            owner: database.owner, words: try ConnectionWords(database.ownerURL),
            photos: PhotoStore(folder: server.settings.photoFolder), say: { _ in })
    }

    /// An empty database, as deploy/server/database makes it.
    static func withEmpty(
        _ body: (PostgresConnection, _ url: String, _ photos: PhotoStore) throws -> Void
    ) throws {
        let cluster = try PostgresCluster.shared.get()
        let name = "empty_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let maintenance = try PostgresConnection(url: cluster.url(database: "postgres", user: "postgres"))
        try maintenance.run("create database \(name) template template0")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("photos-\(UUID().uuidString)")
        defer {
            _ = try? maintenance.run("drop database \(name) with (force)")
            try? FileManager.default.removeItem(at: folder)
        }
        let url = cluster.url(database: name, user: "postgres")
        try body(try PostgresConnection(url: url), url, PhotoStore(folder: folder.path))
    }

    /// How many rows each table has.
    private static func rows(_ connection: PostgresConnection) throws -> [String: String] {
        let tables = try connection.run(
            """
            select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname in ('public', 'checkpost', 'auth', 'storage') order by 1
            """
        ).rows.compactMap { $0[0] }
        return try Dictionary(
            uniqueKeysWithValues: tables.map { ($0, try connection.value("select count(*) from \($0)") ?? "") })
    }

    private static func stored(_ server: TestServer, _ passage: String, _ bytes: Data) async throws {
        let photo = "/storage/v1/object/passage-photos/\(passage).jpg"
        #expect(try await server.send("POST", photo, as: "admin", body: bytes).status == 200)
    }

    /// A violation with a photo of each passage.
    private static func photographed(_ server: TestServer, _ database: TestDatabase) async throws {
        let passages = try server.speeding("BA1PA1234", database)
        try await stored(server, passages.exit, PhotoTests.jpeg)
        try await stored(server, passages.entry, PhotoTests.png)
    }

    @Test func `is made once at a time`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            let other = try PostgresConnection(url: database.ownerURL)
            try other.run("select pg_advisory_lock(7214, 3)")
            let unfinished = place.appendingPathComponent(".part-of-the-other")
            try FileManager.default.createDirectory(at: unfinished, withIntermediateDirectories: true)
            let maker = try Self.maker(server, database)
            #expect(throws: Settings.Mistake.self) { try maker.make(at: place, keep: 3, now: Self.start) }
            #expect(FileManager.default.fileExists(atPath: unfinished.path))
            try other.run("select pg_advisory_unlock(7214, 3)")
            try maker.make(at: place, keep: 3, now: Self.start)
            #expect(!FileManager.default.fileExists(atPath: unfinished.path))
        }
    }

    @Test func `keeps all of it while the server serves, and brings it back into an empty database`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            try await Self.photographed(server, database)
            let (backup, manifest) = try Self.maker(server, database).make(at: place, keep: 3, now: Self.start)
            #expect(backup.stamp == "2026-11-21T222640Z")
            #expect(
                manifest.passages == 2 && manifest.violations == 1 && manifest.photos == 2 && manifest.lostPhotos == 0)
            #expect(try backup.complaints() == [])
            let mode = try FileManager.default.attributesOfItem(atPath: backup.folder.path)[.posixPermissions] as? Int
            #expect(mode == 0o700, "password hashes are in it")
            try Self.withEmpty { empty, url, photos in
                let maker = BackupMaker(owner: empty, words: try ConnectionWords(url), photos: photos, say: { _ in })
                #expect(try maker.bringBack(ServerBackup.all(at: place)[0]) == manifest)
                #expect(try Self.rows(empty) == Self.rows(database.owner))
                #expect(throws: Never.self) { try Migrator().check(empty) }
                for bytes in [PhotoTests.jpeg, PhotoTests.png] {
                    #expect(try photos.whole(PhotoStore.hash(of: bytes)) == bytes)
                }
                // The rules hold there, too.
                #expect(
                    try empty.value("select count(*) from pg_policies where schemaname = 'public'")
                        == database.owner.value("select count(*) from pg_policies where schemaname = 'public'"))
                #expect(throws: Settings.Mistake.self) { try maker.bringBack(backup) }
            }
        }
    }

    @Test func `copies each photo once, and only the newest stay`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            try await Self.stored(server, passages.exit, PhotoTests.jpeg)
            let maker = try Self.maker(server, database)
            let hash = PhotoStore.hash(of: PhotoTests.jpeg)
            let file = place.appendingPathComponent("photos/\(hash.prefix(2))/\(hash)").path
            try maker.make(at: place, keep: 2, now: Self.start)
            let first = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
            // What a power cut has left of another.
            try FileManager.default.createDirectory(
                at: place.appendingPathComponent(".part-2026-11-22T010000Z"), withIntermediateDirectories: false)
            for hour in [1.0, 2] {
                try maker.make(at: place, keep: 2, now: Self.start + hour * 3600)
            }
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == first)
            #expect(ServerBackup.all(at: place).map(\.stamp) == ["2026-11-21T232640Z", "2026-11-22T002640Z"])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
                    == ["2026-11-21T232640Z", "2026-11-22T002640Z", "photos"])
        }
    }

    @Test func `removes photos that no backup names any more, and no other`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            try await Self.photographed(server, database)
            let maker = try Self.maker(server, database)
            let kept = ServerBackup.photos(at: place)
            let (stays, goes) = (PhotoStore.hash(of: PhotoTests.png), PhotoStore.hash(of: PhotoTests.jpeg))
            for hour in [0.0, 1] { try maker.make(at: place, keep: 2, now: Self.start + hour * 3600) }
            try database.owner.run("delete from storage.objects where metadata ->> 'eTag' = $1", [goes])
            // Named by the second one still.
            try maker.make(at: place, keep: 2, now: Self.start + 2 * 3600)
            #expect(try kept.open(goes) != nil)
            #expect(try ServerBackup.all(at: place)[0].complaints() == [])
            try maker.make(at: place, keep: 2, now: Self.start + 3 * 3600)
            #expect(try kept.open(goes) == nil && kept.open(stays) != nil)
            for backup in ServerBackup.all(at: place) { #expect(try backup.complaints() == []) }
        }
    }

    @Test(arguments: [
        (1, ["2026-11-21T100000Z", "2026-11-22T100000Z", "2027-11-22T100000Z"]),
        (2, ["2026-11-21T100000Z", "2027-11-22T100000Z"]), (3, ["2027-11-22T100000Z"]), (4, []),
    ])
    func `pushes out what a clock that was ahead has made, then the oldest, and never itself`(keep: Int, goes: [String])
    {
        let all = ["2026-11-21T100000Z", "2026-11-22T100000Z", "2026-11-23T100000Z", "2027-11-22T100000Z"].map {
            ServerBackup(at: place, stamp: $0)
        }
        #expect(Set(all.surplus(after: all[2], keep: keep).map(\.stamp)) == Set(goes))
    }

    @Test func `keeps the photos of a backup that was made while the clock was ahead`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            try await Self.photographed(server, database)
            let maker = try Self.maker(server, database)
            for (keep, now) in [(2, Self.start + 365 * 86_400), (2, Self.start), (1, Self.start + 60)] {
                let made = try maker.make(at: place, keep: keep, now: now).backup
                let backups = ServerBackup.all(at: place)
                #expect(backups.map(\.stamp).contains(made.stamp))
                for backup in backups { #expect(try backup.complaints() == []) }
            }
        }
    }

    @Test func `removes no photo while a backup is kept whose photos are not marked`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            try await Self.photographed(server, database)
            let maker = try Self.maker(server, database)
            let (kept, goes) = (ServerBackup.photos(at: place), PhotoStore.hash(of: PhotoTests.jpeg))
            let old = try maker.make(at: place, keep: 2, now: Self.start).backup
            let file = old.folder.appendingPathComponent(ServerBackup.manifestName)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(#""marksPhotos" : true"#))
            try text.replacing(#"  "marksPhotos" : true,"#, with: "").write(to: file, atomically: true, encoding: .utf8)
            #expect(kept.mark(goes, at: Self.start - 86_400, isNew: true))
            try database.owner.run("delete from storage.objects where metadata ->> 'eTag' = $1", [goes])
            try maker.make(at: place, keep: 2, now: Self.start + 3600)
            #expect(try kept.open(goes) != nil)
            #expect(try old.complaints() == [])
            try maker.make(at: place, keep: 2, now: Self.start + 2 * 3600)
            #expect(try kept.open(goes) == nil)
        }
    }

    @Test func `that is damaged is said to be, and changes nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            try await Self.stored(server, passages.exit, PhotoTests.jpeg)
            let (backup, _) = try Self.maker(server, database).make(at: place, keep: 3, now: Self.start)
            let hash = PhotoStore.hash(of: PhotoTests.jpeg)
            let photo = place.appendingPathComponent("photos/\(hash.prefix(2))/\(hash)")
            for file in [ServerBackup.dump(in: backup.folder), ServerBackup.photoList(in: backup.folder), photo] {
                let bytes = try Data(contentsOf: file)
                var changed = bytes
                changed[changed.count / 2] ^= 1
                for wrong in [changed, bytes.dropLast()] {
                    try wrong.write(to: file)
                    #expect(try backup.complaints().count == 1, "\(file.lastPathComponent)")
                    try Self.withEmpty { empty, url, photos in
                        let maker = BackupMaker(
                            owner: empty, words: try ConnectionWords(url), photos: photos, say: { _ in })
                        #expect(throws: Settings.Mistake.self) { try maker.bringBack(backup) }
                        #expect(try Self.rows(empty).isEmpty)
                    }
                }
                try bytes.write(to: file)
            }
            #expect(try backup.complaints() == [])
            try Data("{}".utf8).write(to: backup.folder.appendingPathComponent(ServerBackup.manifestName))
            #expect(throws: Settings.Mistake.self) { try backup.manifest() }
        }
    }

    @Test func `says which photos were lost before, and mends its own copy`() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let place = place
        try await TestServer.run { server, database in
            try await Self.photographed(server, database)
            let maker = try Self.maker(server, database)
            try maker.make(at: place, keep: 3, now: Self.start)
            let hash = PhotoStore.hash(of: PhotoTests.jpeg)
            // Half a file in the backup is copied anew; one that is gone at the server and whole in the backup is kept.
            try PhotoTests.jpeg.prefix(20).write(to: place.appendingPathComponent("photos/\(hash.prefix(2))/\(hash)"))
            let second = try maker.make(at: place, keep: 3, now: Self.start + 60)
            #expect(second.manifest.photos == 2 && second.manifest.lostPhotos == 0)
            #expect(try second.backup.complaints() == [])
            try PhotoStore(folder: server.settings.photoFolder).remove(hash)
            let third = try maker.make(at: place, keep: 3, now: Self.start + 120)
            #expect(third.manifest.photos == 2 && third.manifest.lostPhotos == 0, "it is in the backup")
            try FileManager.default.removeItem(at: place.appendingPathComponent("photos"))
            let fourth = try maker.make(at: place, keep: 3, now: Self.start + 180)
            #expect(fourth.manifest.photos == 1 && fourth.manifest.lostPhotos == 1)
        }
    }

    @Test func `of a place that can't be written, or a database that is out of reach, is none`() throws {
        let database = try TestDatabase()
        let photos = PhotoStore(folder: "/nowhere")
        let words = try ConnectionWords(database.ownerURL)
        let maker = BackupMaker(owner: database.owner, words: words, photos: photos, say: { _ in })
        #expect(throws: Settings.Mistake.self) {
            try maker.make(at: URL(fileURLWithPath: "/proc/backup"), keep: 1, now: Self.start)
        }
        let silent = BackupMaker(
            owner: database.owner, words: try ConnectionWords("host=127.0.0.1 port=1 dbname=x"), photos: photos,
            say: { _ in })
        #expect(throws: Settings.Mistake.self) { try silent.make(at: place, keep: 1, now: Self.start) }
        #expect(ServerBackup.all(at: place).isEmpty)
        try? FileManager.default.removeItem(at: place)
    }

    @Test(arguments: [
        ("postgresql://u:p%20w@h:5/d", "p w", "user='u' dbname='d' host='h' port='5'"),
        ("host=h password='it''s' user=u", nil, nil),
        (#"host=h password='a\'b' options='-c role=x'"#, "a'b", "host='h' options='-c role=x'"),
        (#"dbname='d \\ e'"#, nil, #"dbname='d \\ e'"#),
    ])
    func `puts no password among the arguments of a program`(url: String, password: String?, rest: String?) throws {
        guard let rest else {
            #expect(throws: Settings.Mistake.self) { try ConnectionWords(url) }
            return
        }
        let words = try ConnectionWords(url)
        #expect(words.password == password)
        #expect(Set(words.text.split(separator: " ")) == Set(rest.split(separator: " ")))
    }
}
