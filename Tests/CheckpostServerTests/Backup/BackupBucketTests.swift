import Foundation
import Testing

@testable import checkpost_server

@Suite("A backup of the park's server in a bucket", .serialized, .timeLimit(.minutes(10)))
struct BackupBucketTests {
    private static let start = Date(timeIntervalSince1970: 1_795_300_000)
    private static let hash = PhotoStore.hash(of: PhotoTests.jpeg)
    private static var object: String { "photos/\(hash.prefix(2))/\(hash)" }

    private static func maker(_ server: TestServer, _ database: TestDatabase) throws -> BackupMaker {
        BackupMaker(
            owner: database.owner, words: try ConnectionWords(database.ownerURL),
            photos: PhotoStore(folder: server.settings.photoFolder), say: { _ in })
    }

    private static func backups(_ peer: StoragePeer, _ server: TestServer) throws -> BackupBucket {
        try BackupBucket(peer.place, patience: StoragePeer.patience, folder: server.settings.photoFolder)
    }

    private static func stored(_ server: TestServer, _ passage: String, _ bytes: Data) async throws {
        let photo = "/storage/v1/object/passage-photos/\(passage).jpg"
        #expect(try await server.send("POST", photo, as: "admin", body: bytes).status == 200)
    }

    /// Of a server with a violation and both of its photos.
    private static func backups(
        _ peer: StoragePeer, ofTwoPhotos server: TestServer, _ database: TestDatabase
    ) async throws -> BackupBucket {
        let passages = try server.speeding("BA1PA1234", database)
        try await stored(server, passages.exit, PhotoTests.jpeg)
        try await stored(server, passages.entry, PhotoTests.png)
        return try backups(peer, server)
    }

    @Test func `is whole there, leaves nothing on this machine, and comes back into an empty database`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run { server, database in
            let backups = try await Self.backups(peer, ofTwoPhotos: server, database)
            let (backup, manifest) = try backups.make(Self.maker(server, database), keep: 3, now: Self.start)
            #expect(manifest.passages == 2 && manifest.photos == 2 && manifest.lostPhotos == 0)
            #expect(try backups.stamps() == ["2026-11-21T222640Z"] && backups.manifest(of: backup.stamp) == manifest)
            #expect(try backups.with(backup.stamp) { try $0.complaints(of: backups.photos) } == [])
            let left = try FileManager.default.contentsOfDirectory(atPath: server.settings.photoFolder)
            #expect(left.allSatisfy { $0.count == 2 }, "\(left)")
            try BackupTests.withEmpty { empty, url, photos in
                let other = BackupMaker(owner: empty, words: try ConnectionWords(url), photos: photos, say: { _ in })
                let back = try backups.with(backup.stamp) { try other.bringBack($0, from: backups.photos) }
                #expect(back == manifest)
                #expect(try empty.value("select count(*) from vehicle_passages") == "2")
                #expect(try photos.whole(Self.hash) == PhotoTests.jpeg)
                #expect(try photos.whole(PhotoStore.hash(of: PhotoTests.png)) == PhotoTests.png)
            }
            #expect(throws: Settings.Mistake.self) { try backups.with("2026-11-21T222641Z") { _ in } }
        }
    }

    @Test func `goes when it is the oldest, with the photos that no other names`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run { server, database in
            let backups = try await Self.backups(peer, ofTwoPhotos: server, database)
            let maker = try Self.maker(server, database)
            try peer.setObject("2026-11-20T222640Z/checkpost.dump", Data("what a stop has left".utf8))
            try peer.setObject("2026-notes.txt", Data("of somebody".utf8))
            // What interrupted runs have left on this machine, and what another one may be using.
            let left = ["old", "new"].map { server.settings.photoFolder + "/.backup-" + $0 }
            for folder in left {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            try FileManager.default.setAttributes([.modificationDate: Date() - 90_000], ofItemAtPath: left[0])
            _ = try backups.make(maker, keep: 2, now: Self.start)
            #expect(try peer.object("2026-11-20T222640Z/checkpost.dump") == nil)
            #expect(left.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
            try database.owner.run("delete from storage.objects where metadata ->> 'eTag' = $1", [Self.hash])
            _ = try peer.asked()
            _ = try backups.make(maker, keep: 2, now: Self.start + 60)
            #expect(try peer.asked().allSatisfy { !$0.contains("/photos/") || $0.hasPrefix("GET") }, "none is new")
            #expect(try peer.object(Self.object) == PhotoTests.jpeg)
            for stamp in try backups.stamps() {
                #expect(try backups.with(stamp) { try $0.complaints(of: backups.photos) } == [])
            }
            _ = try backups.make(maker, keep: 2, now: Self.start + 120)
            #expect(try backups.stamps() == ["2026-11-21T222740Z", "2026-11-21T222840Z"])
            #expect(try peer.object(Self.object) == nil && peer.object("2026-notes.txt") != nil)
            for stamp in try backups.stamps() {
                #expect(try backups.with(stamp) { try $0.complaints(of: backups.photos) } == [])
            }
        }
    }

    @Test func `is none when the storage fails meanwhile, and is said to be damaged when it is`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            try await Self.stored(server, passages.exit, PhotoTests.jpeg)
            let backups = try Self.backups(peer, server)
            let maker = try Self.maker(server, database)
            try peer.fails("403")
            #expect(throws: S3Outage.self) { try backups.make(maker, keep: 2, now: Self.start) }
            try peer.works()
            let another = try Self.backups(peer, server)
            #expect(try another.stamps() == [])
            let made = try another.make(maker, keep: 2, now: Self.start)
            for name in [Self.object, "\(made.backup.stamp)/checkpost.dump", "\(made.backup.stamp)/photos.txt"] {
                let bytes = try #require(try peer.object(name))
                var changed = bytes
                changed[changed.count / 2] ^= 1
                try peer.setObject(name, changed)
                #expect(
                    try another.with(made.backup.stamp) { try $0.complaints(of: another.photos) }.count == 1, "\(name)")
                try peer.setObject(name, bytes)
            }
            #expect(try another.with(made.backup.stamp) { try $0.complaints(of: another.photos) } == [])
        }
    }

    @Test func `may be larger than the memory: it goes up in parts`() throws {
        let peer = try StoragePeer()
        let bucket = try peer.bucket()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("dump-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for length in [0, 999, 1000, 1001, 3500] {
            let bytes = Data((0..<length).map { UInt8($0 % 251) })
            try bytes.write(to: file)
            _ = try peer.asked()
            try bucket.put(file: file, as: "dump", partBytes: 1000)
            #expect(try peer.object("dump") == bytes)
            #expect(
                try peer.asked().count { $0.contains("partNumber=") } == (length > 1000 ? (length + 999) / 1000 : 0))
        }
        // A part that fails is sent again; when it can't be, nothing of it stays.
        try peer.fails("503", count: 1)
        try bucket.put(file: file, as: "dump", partBytes: 1000)
        try peer.setObject("dump", nil)
        try peer.fails("503")
        #expect(throws: S3Outage.self) { try bucket.put(file: file, as: "dump", partBytes: 1000) }
        #expect(try peer.object("dump") == nil)
        try peer.works()
        // The upload is ended although the storage has just failed.
        let another = try peer.bucket(rest: .seconds(60))
        try peer.fails("503", only: "partNumber")
        #expect(throws: S3Outage.self) { try another.put(file: file, as: "dump", partBytes: 1000) }
        #expect(try peer.uploads() == [] && peer.object("dump") == nil)
    }

    @Test func `is refused where the photos of the server are`() throws {
        var settings = Settings()
        settings.jwtSecret = "a secret of the tests, long enough for HS256"
        settings.databaseURL = "host=x"
        let place = S3Place(
            endpoint: "https://s3.example.org", bucket: "park", prefix: "photos/", accessKey: "a", secretKeyFile: "/x")
        settings.photoBucket = place
        for (prefix, isGood) in [("photos/", false), ("", false), ("photos/x/", false), ("backup/", true)] {
            settings.backupBucket = place
            settings.backupBucket?.prefix = prefix
            if isGood {
                try settings.check()
            } else {
                let mistake = #expect(throws: Settings.Mistake.self, "\(prefix)") { try settings.check() }
                #expect(mistake?.description.contains("backup_bucket") == true, "\(prefix)")
            }
        }
        settings.backupFolder = "/mnt/backup"
        #expect(throws: Settings.Mistake.self) { try settings.check() }
    }

    @Test func `knows a photo by 32 bytes`() throws {
        for text in [Self.hash, String(repeating: "0", count: 64), String(repeating: "f", count: 64)] {
            #expect(try #require(PhotoHash(text[...])).text == text)
        }
        for wrong in ["", "ab", String(repeating: "g", count: 64), String(repeating: "0", count: 65)] {
            #expect(PhotoHash(wrong[...]) == nil)
        }
    }
}
