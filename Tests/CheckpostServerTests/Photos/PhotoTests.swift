import Foundation
import Testing

@testable import checkpost_server

@Suite("Photos", .serialized, .timeLimit(.minutes(10)))
struct PhotoTests {
    /// One pixel's frame and scan, as far as the markers go; the scan's bytes mean nothing.
    static let jpeg = Data(
        [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
            + [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
            + [UInt8](repeating: 7, count: 1000) + [0xff, 0xd9])
    static let otherJPEG = jpeg.dropLast(2) + Data([8, 0xff, 0xd9])
    static let png = Data(
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55]
            + [UInt8](repeating: 9, count: 100) + [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82])

    private static func path(_ server: TestServer, _ plate: String = "A1") async throws -> String {
        let answer = try await server.send(
            "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"],
            json: TestServer.passage(plate, "2026-11-21T10:00:00Z"))
        return "/storage/v1/object/passage-photos/\(answer.rows.first?["id"] as? String ?? "").jpg"
    }

    @Test func `are uploaded by the passage's ranger, once and for all`() async throws {
        try await TestServer.run { server, database in
            let path = try await Self.path(server)
            let made = try await server.send("POST", path, ["Content-Type": "image/jpeg"], body: Self.jpeg)
            #expect(made.status == 200, "\(made.text)")
            #expect((made.object["Key"] as? String)?.hasPrefix("passage-photos/") == true)
            let again = try await server.send("POST", path, body: Self.otherJPEG)
            #expect(again.status == 409)
            #expect(Set(again.object.keys) == ["statusCode", "error", "message"])
            #expect(try await server.send("GET", path).data == Self.jpeg)
            for (method, user) in [("POST", "a"), ("PUT", "a"), ("POST", "admin"), ("POST", "service")] {
                let other = try await server.send(method, path, as: user, ["x-upsert": "true"], body: Self.otherJPEG)
                #expect(other.status == 409, "\(method) as \(user)")
                #expect(
                    try await server.send(method, path, as: user, ["x-upsert": "true"], body: Self.jpeg).status == 200)
            }
            let now = try await server.send("GET", path)
            #expect(now.data == Self.jpeg)
            #expect(now.headers["content-type"] == "image/jpeg")
            #expect(try database.owner.value("select count(*) from storage.objects") == "1")
        }
    }

    @Test func `that are not what was stored are shown to nobody, and named in the log`() async throws {
        let lines = LogLines()
        try await TestServer.run(log: lines) { server, database in
            let path = try await Self.path(server)
            #expect(try await server.send("POST", path, body: Self.jpeg).status == 200)
            let hash = PhotoStore.hash(of: Self.jpeg)
            let file = URL(fileURLWithPath: server.settings.photoFolder + "/\(hash.prefix(2))/\(hash)")
            for wrong in [Self.otherJPEG, Self.jpeg.dropLast(), Data()] {
                try wrong.write(to: file)
                let answer = try await server.send("GET", path)
                #expect(answer.status == 503 && answer.data != wrong, "\(answer.text)")
                #expect(lines.all.contains { $0.contains("is not what was stored") && $0.contains(hash) })
            }
            try Self.jpeg.write(to: file)
            #expect(try await server.send("GET", path).data == Self.jpeg)
            try FileManager.default.removeItem(at: file)
            #expect(try await server.send("GET", path).status == 404)
        }
    }

    @Test func `are taken out of a form`() async throws {
        try await TestServer.run { server, _ in
            let path = try await Self.path(server).replacing(".jpg", with: ".jpeg")
            let other = try await Self.path(server)
            var form = Data("--xyz\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n3600\r\n".utf8)
            form += Data("--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n".utf8)
            form += Data("Content-Type: image/jpeg\r\n\r\n".utf8) + Self.jpeg + Data("\r\n--xyz--\r\n".utf8)
            let type = ["Content-Type": "multipart/form-data; boundary=\"xyz\""]
            #expect(try await server.send("POST", path, type, body: form).status == 200)
            #expect(try await server.send("GET", path).data == Self.jpeg)
            for broken in [Data("--xyz".utf8), Data(), form.prefix(150), Data("nonsense".utf8)] {
                #expect(try await server.send("PUT", other, type, body: broken).status == 400)
            }
        }
    }

    @Test func `are refused when they are something else or too large`() async throws {
        try await TestServer.run { server, _ in
            let path = try await Self.path(server)
            let noFrame = Self.jpeg.prefix(20) + Self.jpeg.dropFirst(33)
            let broken = [
                Data(), Data("GIF89a".utf8), Data("<html>".utf8), Data([0xff, 0xd8]), Self.jpeg.dropLast(2),
                Self.jpeg.prefix(40), Self.jpeg.prefix(4) + Self.jpeg.suffix(2), noFrame, Self.jpeg + Data(count: 65),
                Data([0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 7, count: 1000) + [0xff, 0xd9]),
                Self.png.dropLast(12), Data("\u{89}PNG".utf8),
            ]
            for data in broken {
                #expect(try await server.send("POST", path, ["Content-Type": "image/jpeg"], body: data).status == 415)
            }
            let pngPath = path.replacing(".jpg", with: ".png")
            for data in [Self.png.dropLast(12), Self.png.prefix(8) + Self.png.dropFirst(33)] {
                #expect(try await server.send("POST", pngPath, body: data).status == 415)
            }
            #expect(try await server.send("POST", pngPath, body: Self.png).status == 200)
            #expect(try await server.send("GET", pngPath).headers["content-type"] == "image/png")
            #expect(try await server.send("DELETE", pngPath, as: "admin").status == 200)
            #expect(try await server.send("POST", path, body: Self.jpeg + Data(count: 64)).status == 200)
            let large = Self.jpeg + Data(count: 2 * 1024 * 1024)
            #expect(try await server.send("POST", path, body: large).status == 413)
        }
    }

    @Test func `are what they are, whatever their name says`() async throws {
        try await TestServer.run { server, _ in
            let path = try await Self.path(server)
            #expect(try await server.send("POST", path, ["Content-Type": "image/jpeg"], body: Self.png).status == 200)
            let stored = try await server.send("GET", path)
            #expect(stored.headers["content-type"] == "image/png")
            #expect(stored.data == Self.png)
        }
    }

    @Test func `have the bytes that their passage was recorded with`() async throws {
        try await TestServer.run { server, _ in
            var passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
            let hash = PhotoStore.hash(of: Self.jpeg)
            passage["photo_sha256"] = hash.uppercased()
            let answer = try await server.send(
                "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"], json: passage)
            let id = answer.rows.first?["id"] as? String ?? ""
            let path = "/storage/v1/object/passage-photos/\(id).jpg"
            for headers in [[:], ["x-photo-original": PhotoStore.hash(of: Self.png)], ["x-upsert": "true"]] {
                let other = try await server.send("POST", path, headers, body: Self.otherJPEG)
                #expect(other.status == 409)
                #expect(other.text.contains("photo_sha256"), "\(other.text)")
            }
            #expect(try await server.send("GET", path).status == 404)
            #expect(try await server.send("POST", path, body: Self.jpeg).status == 200)
            // A copy that was made smaller says of which photo it is one; beside the photo itself it is none.
            let headers = ["x-photo-original": hash]
            let second = path.replacing(".jpg", with: ".jpeg")
            #expect(try await server.send("POST", second, headers, body: Self.otherJPEG).status == 409)
            passage["client_id"] = UUID().uuidString
            passage["plate_number"] = "A2"
            let smaller = try await server.send(
                "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"], json: passage)
            let copy = "/storage/v1/object/passage-photos/\(smaller.rows.first?["id"] as? String ?? "").jpg"
            #expect(try await server.send("POST", copy, headers, body: Self.otherJPEG).status == 200)
        }
    }

    @Test func `are marked where they are a smaller copy, which gives way to the photo itself and to nothing else`()
        async throws
    {
        try await TestServer.run { server, database in
            var passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
            let hash = PhotoStore.hash(of: Self.jpeg)
            passage["photo_sha256"] = hash
            let answer = try await server.send(
                "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"], json: passage)
            let id = answer.rows.first?["id"] as? String ?? ""
            let path = "/storage/v1/object/passage-photos/\(id).jpg"
            let copyOf = "select metadata ->> 'copyOf' from storage.objects"
            let headers = ["x-photo-original": hash]
            #expect(try await server.send("POST", path, headers, body: Self.otherJPEG).status == 200)
            #expect(try database.owner.value(copyOf) == hash)
            // The same bytes again are no photo for saying less of them; a second copy is one too many.
            #expect(try await server.send("POST", path, body: Self.otherJPEG).status == 200)
            #expect(try database.owner.value(copyOf) == hash)
            #expect(try await server.send("POST", path, headers, body: Self.png).status == 409)
            #expect(try await server.send("POST", path, body: Self.jpeg).status == 200)
            #expect(try database.owner.value(copyOf) == nil)
            #expect(try await server.send("GET", path).data == Self.jpeg)
            #expect(try await server.send("POST", path, headers, body: Self.otherJPEG).status == 409)
            #expect(try await server.send("GET", path).data == Self.jpeg)
        }
    }

    @Test func `are one for each passage, whatever their names end with`() async throws {
        try await TestServer.run { server, database in
            let path = try await Self.path(server)
            let endings = [".jpg", ".jpeg", ".png"]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for ending in endings + endings {
                    group.addTask {
                        try await server.send(
                            "POST", path.replacing(".jpg", with: ending), ["x-upsert": "true"], body: Self.jpeg
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 409, 409, 409, 409])
            #expect(try database.owner.value("select count(*) from storage.objects") == "1")
            // Nobody learns from it what another's passage has.
            #expect(
                try await server.send("POST", path.replacing(".jpg", with: ".png"), as: "b", body: Self.png).status
                    == 403)
        }
    }

    @Test func `keep one of two that come at the same moment`() async throws {
        try await TestServer.run { server, database in
            let path = try await Self.path(server)
            let photos = [Self.jpeg, Self.otherJPEG]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<12 {
                    group.addTask { try await server.send("POST", path, body: photos[index % 2]).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 6)
            #expect(statuses.filter { $0 == 409 }.count == 6)
            #expect(try database.owner.value("select count(*) from storage.objects") == "1")
        }
    }

    /// Both are held at the door that they go through one at a time, and let in together.
    @Test(arguments: [true, false])
    func `keep their bytes when these come for another passage while the first one's are deleted`(
        isDeletedFirst: Bool
    ) async throws {
        try await TestServer.run { server, database in
            let (first, second) = (try await Self.path(server), try await Self.path(server, "A2"))
            #expect(try await server.send("POST", first, body: Self.jpeg).status == 200)
            let door = "hashtextextended('\(PhotoStore.hash(of: Self.jpeg))', 1)"
            try database.owner.run("select pg_advisory_lock(\(door))")
            func waits(_ count: Int) async throws {
                let held = """
                    select count(*) from pg_locks where locktype = 'advisory' and not granted
                        and database = (select oid from pg_database where datname = current_database())
                    """
                for _ in 0..<500 where try database.owner.value(held) != "\(count)" {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(try database.owner.value(held) == "\(count)")
            }
            let name = String(first.split(separator: "/").last ?? "")
            func delete() async throws -> Int {
                try await server.send(
                    "DELETE", "/storage/v1/object/passage-photos", as: "admin", json: ["prefixes": [name]]
                ).status
            }
            func upload() async throws -> Int { try await server.send("POST", second, body: Self.jpeg).status }
            async let one = isDeletedFirst ? delete() : upload()
            try await waits(1)
            async let other = isDeletedFirst ? upload() : delete()
            try await waits(2)
            try database.owner.run("select pg_advisory_unlock(\(door))")
            #expect(try await [one, other] == [200, 200])
            #expect(try await server.send("GET", first).status == 404)
            #expect(try await server.send("GET", second).data == Self.jpeg)
        }
    }

    @Test func `are seen by their segment and written by their ranger only`() async throws {
        try await TestServer.run { server, _ in
            let path = try await Self.path(server)
            for user in ["b", "c"] {
                #expect(try await server.send("POST", path, as: user, body: Self.jpeg).status == 403)
            }
            #expect(try await server.send("POST", path, as: "anon", body: Self.jpeg).status == 401)
            #expect(try await server.send("POST", path, body: Self.jpeg).status == 200)
            let seen = ["a": 200, "b": 200, "c": 404, "admin": 200, "anon": 401]
            for (user, status) in seen {
                #expect(try await server.send("GET", path, as: user).status == status, "\(user)")
            }
            let strange = "/storage/v1/object/passage-photos/"
            for name in ["\(UUID().uuidString).jpg", "x.jpg", "..%2Fx.jpg", "%2E%2E"] {
                #expect(
                    [403, 404].contains(try await server.send("POST", strange + name, body: Self.jpeg).status),
                    "\(name)")
            }
            #expect(try await server.send("POST", "/storage/v1/object/other/x.jpg", body: Self.jpeg).status == 404)
            let name = String(path.split(separator: "/").last ?? "")
            let list = "/storage/v1/object/passage-photos"
            let kept = try await server.send("DELETE", list, as: "a", json: ["prefixes": [name]])
            #expect(kept.status == 403 && kept.text.contains("warden"), "\(kept.text)")
            #expect(try await server.send("DELETE", list, as: "c", json: ["prefixes": [name]]).text == "[]")
            #expect(try await server.send("DELETE", list, as: "admin", json: ["prefixes": [name]]).rows.count == 1)
            #expect(try await server.send("GET", path).status == 404)
        }
    }
}
