import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("Photos in a bucket", .serialized, .timeLimit(.minutes(10)))
struct PhotoStorageTests {
    private static let hash = PhotoStore.hash(of: PhotoTests.jpeg)
    private static var object: String { "\(hash.prefix(2))/\(hash)" }

    /// The place of a photo of a new passage.
    private static func path(_ server: TestServer, _ plate: String) async throws -> String {
        let answer = try await server.send(
            "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"],
            json: TestServer.passage(plate, "2026-11-21T10:00:00Z"))
        #expect(answer.status == 201)
        return "/storage/v1/object/passage-photos/\(answer.rows.first?["id"] as? String ?? "").jpg"
    }

    private static func waits(_ what: Comment, until isSo: () async throws -> Bool) async throws {
        for _ in 0..<200 where try await !isSo() { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try await isSo(), what)
    }

    private static func health(_ server: TestServer) async throws -> String? {
        let answer = try await server.send("GET", "/health/ready", as: nil)
        #expect(answer.status == 200 && answer.object["status"] as? String == "ok")
        return answer.object["photos"] as? String
    }

    @Test func `lie there once, are read from there, and go with their last passage`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run(peer.configure) { server, _ in
            let (one, other) = (try await Self.path(server, "A1"), try await Self.path(server, "A2"))
            for path in [one, other] {
                #expect(try await server.send("POST", path, body: PhotoTests.jpeg).status == 200)
                #expect(try await server.send("POST", path, body: PhotoTests.jpeg).status == 200)
                let answer = try await server.send("GET", path)
                #expect(answer.data == PhotoTests.jpeg && answer.headers["content-type"] == "image/jpeg")
                #expect(try await server.send("HEAD", path).headers["content-length"] == "\(PhotoTests.jpeg.count)")
            }
            #expect(try peer.object(Self.object) == PhotoTests.jpeg)
            #expect(try peer.asked().count { $0.hasPrefix("PUT") } == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: server.settings.photoFolder) == [])
            #expect(try await server.send("DELETE", one, as: "admin").status == 200)
            #expect(try peer.object(Self.object) != nil)
            #expect(try await server.send("DELETE", other, as: "admin").status == 200)
            #expect(try peer.object(Self.object) == nil)
            #expect(try await Self.health(server) == "ok")
        }
    }

    @Test func `that are not what was stored are shown to nobody`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run(peer.configure) { server, _ in
            let path = try await Self.path(server, "A1")
            #expect(try await server.send("POST", path, body: PhotoTests.jpeg).status == 200)
            for wrong in [PhotoTests.otherJPEG, PhotoTests.jpeg.dropLast(), Data()] {
                try peer.setObject(Self.object, wrong)
                let answer = try await server.send("GET", path)
                #expect(answer.status == 503 && answer.object["error"] as? String == "photo_damaged", "\(answer.text)")
            }
            try peer.setObject(Self.object, nil)
            #expect(try await server.send("GET", path).status == 404)
            try peer.setObject(Self.object, PhotoTests.jpeg)
            try peer.fails("half")
            #expect(try await server.send("GET", path).status == 503)
        }
    }

    @Test(arguments: ["503", "drop", "hang"]) func `wait at their post while the storage is away, and passages don't`(
        kind: String
    ) async throws {
        let peer = try StoragePeer()
        let lines = LogLines()
        try await TestServer.run(peer.configure, log: lines) { server, database in
            let path = try await Self.path(server, "A1")
            try peer.fails(kind)
            let refused = try await server.send("POST", path, body: PhotoTests.jpeg)
            #expect(refused.status == 503 && refused.headers["retry-after"] == "30", "\(refused.text)")
            #expect(Set(refused.object.keys) == ["statusCode", "error", "message"])
            #expect(try database.owner.value("select count(*) from storage.objects") == "0")
            _ = try await Self.path(server, "A2")
            #expect(try await Self.health(server) == "out of reach")
            let desk = try await server.warden()
            #expect(try await desk.get("/warden").text.contains("The posts keep theirs and send them later"))
            let metrics = try await server.send("GET", "/metrics", as: nil).text
            #expect(metrics.contains("checkpost_server_photos_up 0"))
            try peer.works()
            try await Self.waits("the storage answers again") {
                try await server.send("POST", path, body: PhotoTests.jpeg).status == 200
            }
            #expect(try await Self.health(server) == "ok")
            #expect(try await !desk.get("/warden").text.contains("The posts keep theirs and send them later"))
            #expect(lines.all.count { $0.contains("the storage of the photos can't be used") } == 1)
            #expect(lines.all.contains { $0.contains("the storage of the photos answers again") })
            #expect(lines.all.allSatisfy { !$0.contains(StoragePeer.secret) })
        }
    }

    @Test func `that were deleted while the storage was away go when it is back`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run(peer.configure) { server, database in
            let path = try await Self.path(server, "A1")
            #expect(try await server.send("POST", path, body: PhotoTests.jpeg).status == 200)
            try peer.fails("503")
            #expect(try await server.send("DELETE", path, as: "admin").status == 200)
            #expect(try database.owner.value("select hash from checkpost.loose_photos") == Self.hash)
            #expect(try peer.object(Self.object) != nil)
            try peer.works()
            let gateway = try #require(server.gateway)
            let timer = Task { try await RemovalTimer(gateway: gateway, interval: .milliseconds(50)).run() }
            defer { timer.cancel() }
            try await Self.waits("the object goes") { try peer.object(Self.object) == nil }
            try await Self.waits("and is remembered no more") {
                try database.owner.value("select count(*) from checkpost.loose_photos") == "0"
            }
        }
    }

    @Test func `that the storage doesn't delete keep no others from going`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run(peer.configure) { server, database in
            let paths = [try await Self.path(server, "A1"), try await Self.path(server, "A2")]
            for (path, photo) in zip(paths, [PhotoTests.jpeg, PhotoTests.png]) {
                #expect(try await server.send("POST", path, body: photo).status == 200)
            }
            try peer.fails("503")
            for path in paths { #expect(try await server.send("DELETE", path, as: "admin").status == 200) }
            let hashes = [PhotoTests.jpeg, PhotoTests.png].map { PhotoStore.hash(of: $0) }.sorted()
            let objects = hashes.map { "\($0.prefix(2))/\($0)" }
            try peer.fails("403", only: hashes[0])
            let gateway = try #require(server.gateway)
            let timer = Task { try await RemovalTimer(gateway: gateway, interval: .milliseconds(50)).run() }
            defer { timer.cancel() }
            try await Self.waits("the other object goes") { try peer.object(objects[1]) == nil }
            #expect(try peer.object(objects[0]) != nil)
            try peer.works()
            try await Self.waits("it goes when it can") { try peer.object(objects[0]) == nil }
        }
    }

    private static func files(_ server: TestServer) throws -> [String] {
        try PhotoFolder(server.settings.photoFolder).hashes(after: "", most: 1000)
    }

    @Test func `are moved from the folder and back while the server serves, each after it was compared`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run(peer.configure) { server, database in
            let photos = [PhotoTests.jpeg, PhotoTests.otherJPEG, PhotoTests.png]
            var paths: [String] = []
            for (number, photo) in photos.enumerated() {
                paths.append(try await Self.path(server, "A\(number)"))
                #expect(try await server.send("POST", paths[number], body: photo).status == 200)
            }
            let store = try #require(server.gateway?.photos.storage as? PhotoBucket)
            let mover = PhotoMover(photos: store, owner: database.owner, say: { _ in })
            func areServed() async throws {
                for (path, photo) in zip(paths, photos) { #expect(try await server.send("GET", path).data == photo) }
            }
            #expect(try mover.move(to: .folder) == PhotoMover.Result(moved: 3))
            #expect(try store.hashes(after: "", most: 9) == [])
            #expect(try Self.files(server).count == 3)
            try await areServed()
            // What is stored meanwhile goes to the bucket; what was damaged stays where it is.
            let file = URL(fileURLWithPath: server.settings.photoFolder + "/" + Self.object)
            try PhotoTests.png.write(to: file)
            #expect(try mover.move(to: .bucket) == PhotoMover.Result(moved: 2, damaged: [Self.hash]))
            #expect(try Self.files(server) == [Self.hash])
            try PhotoTests.jpeg.write(to: file)
            try peer.fails("503")
            #expect(throws: S3Outage.self) { try mover.move(to: .bucket) }
            #expect(try Self.files(server) == [Self.hash])
            try peer.works()
            var rest: PhotoMover.Result?
            try await Self.waits("it goes on") {
                if rest == nil { rest = try? mover.move(to: .bucket) }
                return rest == PhotoMover.Result(moved: 1)
            }
            #expect(try Self.files(server) == [] && store.hashes(after: "", most: 9).count == 3)
            try await areServed()
        }
    }

    @Test func `are moved by the command, which never says the key`() async throws {
        let peer = try StoragePeer()
        try await TestServer.run(peer.configure) { server, database in
            let path = try await Self.path(server, "A1")
            #expect(try await server.send("POST", path, body: PhotoTests.jpeg).status == 200)
            func command(_ place: String, _ target: String) async throws -> OtherProgram.Result {
                try await server.command(["photos", "move", "--to", target], with: place, database)
            }
            let place = """
                [photo_bucket]
                name = "\(peer.place.bucket)"
                endpoint = "\(peer.place.endpoint)"
                region = "\(peer.place.region)"
                prefix = "\(peer.place.prefix)"
                access_key = "\(peer.place.accessKey)"
                secret_key_file = "\(peer.place.secretKeyFile)"
                """
            let none = try await command("", "folder")
            #expect(none.status == 1 && none.output.contains("There is no bucket"), "\(none)")
            #expect(try await command(place, "elsewhere").status == 2)
            let moved = try await command(place, "folder")
            #expect(moved.status == 0 && moved.output.contains("1 photos were moved."), "\(moved)")
            #expect(try Self.files(server) == [Self.hash] && peer.object(Self.object) == nil)
            let wrong = try await command(place.replacing("np-east-1", with: "elsewhere"), "bucket")
            #expect(
                wrong.status == 1 && wrong.output.contains("the secret key or the region is another one"), "\(wrong)")
            #expect([moved, wrong].allSatisfy { !$0.output.contains(StoragePeer.secret) })
        }
    }

    @Test func `are in a backup, and come back from it`() async throws {
        let peer = try StoragePeer()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("backup-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try await TestServer.run(peer.configure) { server, database in
            let path = try await Self.path(server, "A1")
            #expect(try await server.send("POST", path, body: PhotoTests.jpeg).status == 200)
            let photos = try PhotoStore(server.settings)
            let words = try ConnectionWords(database.ownerURL)
            let maker = BackupMaker(owner: database.owner, words: words, photos: photos, say: { _ in })
            let made = try maker.make(at: place, keep: 2)
            #expect(made.manifest.photos == 1 && made.manifest.lostPhotos == 0)
            #expect(try made.backup.complaints() == [])
            // What can't be asked for is not lost: there is no backup then.
            try peer.setObject(Self.object, nil)
            try FileManager.default.removeItem(at: place.appendingPathComponent("photos"))
            try peer.fails("503")
            #expect(throws: S3Outage.self) { try maker.make(at: place, keep: 2, now: Date() + 60) }
        }
    }
}
