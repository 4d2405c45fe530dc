import Foundation
import Testing

@testable import checkpost_server

@Suite("Packages that are offered to the boxes", .serialized, .timeLimit(.minutes(10)))
struct UpdateTests {
    private static let name = "checkpost_1.3.0+debian12_amd64.deb"

    /// A package with its signature, in a folder of its own.
    private static func package(_ bytes: Data, signature: Data? = Data(repeating: 7, count: 64)) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("package-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        try bytes.write(to: file)
        try signature?.write(to: URL(fileURLWithPath: file.path + ".sig"))
        return file
    }

    /// Offers it to a post, or to all, as the command does.
    private static func offer(_ bytes: Data, _ server: TestServer, _ database: TestDatabase, to post: String? = nil)
        throws -> String
    {
        let file = try package(bytes)
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let package = try UpdateStore(folder: server.settings.updateFolder).take(file.path)
        try database.owner.run(
            """
            insert into public.box_updates (file_name, bytes, sha256, signature, checkpost_id)
            values ($1, $2::bigint, $3, $4, $5::uuid)
            """, [package.fileName, "\(package.bytes)", package.sha256, package.signature, post])
        return package.sha256
    }

    private static let bytes =
        Data("!<arch>\n".utf8)
        + Data((8..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    @Test func `are read by a box in whole, and from any byte to any other`() async throws {
        try await TestServer.run { server, database in
            let path = "/updates/v1/" + (try Self.offer(Self.bytes, server, database))
            let whole = try await server.send("GET", path)
            #expect(whole.status == 200 && whole.data == Self.bytes)
            #expect(whole.headers["accept-ranges"] == "bytes")
            let head = try await server.send("HEAD", path)
            #expect(head.status == 200 && head.data.isEmpty && head.headers["content-length"] == "200000")
            for (range, part) in [
                ("bytes=0-0", 0..<1), ("bytes=65530-65541", 65_530..<65_542), ("bytes=199999-", 199_999..<200_000),
                ("bytes=150000-999999999", 150_000..<200_000),
            ] {
                let answer = try await server.send("GET", path, ["Range": range])
                #expect(answer.status == 206 && answer.data == Self.bytes[part], "\(range): \(answer.status)")
                #expect(answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/200000")
            }
            let beyond = try await server.send("GET", path, ["Range": "bytes=200000-"])
            #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */200000")
            for odd in [
                "bytes=5-2", "bytes=-5", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5", "bytes=0-9223372036854775807",
            ] {
                let answer = try await server.send("GET", path, ["Range": odd])
                #expect(answer.status == 200 && answer.data == Self.bytes, "\(odd)")
            }
        }
    }

    @Test func `are told and given to the post that they are for, as long as they are offered`() async throws {
        try await TestServer.run { server, database in
            let path = "/updates/v1/" + (try Self.offer(Self.bytes, server, database, to: TestDatabase.postA))
            let list = "/rest/v1/box_updates?ended_at=is.null&select=file_name,bytes"
            for (user, count, status) in [("a", 1, 200), ("b", 0, 404), ("admin", 1, 200), ("service", 1, 200)] {
                #expect(try await server.send("GET", list, as: user).rows.count == count, "\(user)")
                #expect(try await server.send("GET", path, as: user).status == status, "\(user)")
            }
            #expect(try await server.send("GET", path, as: "anon").status == 401)
            for (method, body) in [("POST", #"{"file_name":"x"}"#), ("PATCH", #"{"bytes":1}"#), ("DELETE", "")] {
                let answer = try await server.send(
                    method, "/rest/v1/box_updates?bytes=gt.0", as: "admin", body: Data(body.utf8))
                #expect(answer.status == 403, "\(method): \(answer.status)")
            }
            try database.owner.run("update public.box_updates set ended_at = now()")
            #expect(try await server.send("GET", path).status == 404)
            #expect(try await server.send("GET", list).rows.isEmpty)
            for other in ["", "..%2f..%2fetc%2fpasswd", String(repeating: "a", count: 64), "'"] {
                #expect(try await server.send("GET", "/updates/v1/" + other).status == 404, "\(other)")
            }
        }
    }

    @Test func `are not given in part when the file is cut off or gone, and the log says so`() async throws {
        let lines = LogLines()
        try await TestServer.run(log: lines) { server, database in
            let hash = try Self.offer(Self.bytes, server, database)
            let file = "\(server.settings.updateFolder)/\(hash).deb"
            #expect(truncate(file, 1000) == 0)
            #expect(try await server.send("GET", "/updates/v1/" + hash).status == 503)
            unlink(file)
            #expect(try await server.send("GET", "/updates/v1/" + hash).status == 503)
        }
        #expect(lines.all.contains { "\($0)".contains("offer it again") }, "\(lines.all)")
    }

    @Test func `are taken with a signature beside them, whole`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("updates-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = UpdateStore(folder: folder)
        let raw = try Self.package(Self.bytes, signature: Data(repeating: 200, count: 64))
        let taken = try store.take(raw.path)
        #expect(taken.bytes == 200_000 && taken.fileName == Self.name)
        #expect(Data(base64Encoded: taken.signature) == Data(repeating: 200, count: 64))
        #expect(FileManager.default.contents(atPath: "\(folder)/\(taken.sha256).deb") == Self.bytes)
        for (signature, bytes) in [
            (nil, Self.bytes), (Data(), Self.bytes), (Data(repeating: 65, count: 5000), Self.bytes),
            (Data("s".utf8), Self.bytes), (Data(repeating: 7, count: 64), Data("no package".utf8)),
            (Data(repeating: 7, count: 64), Data()),
        ] {
            let file = try Self.package(bytes, signature: signature)
            #expect(throws: Settings.Mistake.self) { try store.take(file.path) }
        }
        store.keepOnly([])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
