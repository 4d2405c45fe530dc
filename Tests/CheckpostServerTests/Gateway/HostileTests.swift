import Foundation
import Testing

@testable import checkpost_server

@Suite("A client that wants to fell the server", .serialized, .timeLimit(.minutes(10)))
struct HostileTests {
    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// A request to send as it is, and the statuses that are right answers; 0 is a connection that was closed without one.
    struct Blow: Sendable, CustomTestStringConvertible {
        var name: String
        var target = "/rest/v1/parks"
        var head = ""
        var method = "GET"
        var body = ""
        var statuses: Set<Int>
        var testDescription: String { name }

        var bytes: Data {
            let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
            return Data("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(length)\(head)\r\n\(body)".utf8)
        }
    }

    static let blows: [Blow] = [
        Blow(
            name: "12,000 times not", target: "/rest/v1/parks?name=\(many("not.", 12_000))eq.x", statuses: [414]),
        Blow(name: "1,000 times not", target: "/rest/v1/parks?name=\(many("not.", 1000))eq.x", statuses: [400]),
        Blow(
            name: "1,000 times not in a group", target: "/rest/v1/parks?or=(a.\(many("not.", 1000))eq.x)",
            statuses: [400]),
        Blow(name: "groups in groups", target: "/rest/v1/parks?and=\(many("(and", 3000))", statuses: [400]),
        Blow(
            name: "groups in groups, closed", target: "/rest/v1/parks?and=\(many("(or", 900))(id.eq.1\(many(")", 901))",
            statuses: [400]),
        Blow(name: "tables in tables", target: "/rest/v1/parks?select=\(many("checkposts(", 1200))", statuses: [400]),
        Blow(name: "10,000 columns", target: "/rest/v1/parks?select=\(many("id,", 5000))id", statuses: [400]),
        Blow(name: "a list of 5,000", target: "/rest/v1/parks?id=in.(\(many("1,", 5000))1)", statuses: [400]),
        Blow(name: "a list of 100,000", target: "/rest/v1/parks?id=in.(\(many("1,", 25_000))1)", statuses: [414]),
        Blow(name: "1,000 terms of an order", target: "/rest/v1/parks?order=\(many("id,", 1000))id", statuses: [400]),
        Blow(name: "an offset of 1e18", target: "/rest/v1/parks?offset=1000000000000000000", statuses: [400]),
        Blow(name: "5,000 parameters", target: "/rest/v1/parks?\(many("a=1&", 4000))", statuses: [400]),
        Blow(name: "a deep parameter", target: "/rest/v1/parks?\(many("a.", 5000))b=eq.1", statuses: [400]),
        Blow(name: "40 wildcards", target: "/rest/v1/parks?name=like.\(many("*a", 40))", statuses: [400]),
        Blow(name: "many !", target: "/rest/v1/parks?select=a\(many("!b", 3000))", statuses: [400]),
        // It is the root, which leads to the warden's page.
        Blow(name: "a path of slashes", target: many("/", 12_000), statuses: [303]),
        Blow(name: "a path of dots", target: "/rest/v1/" + many("../", 3000), statuses: [404]),
        Blow(name: "a zero byte", target: "/rest/v1/parks?name=eq.%00", statuses: [400, 401]),
        Blow(name: "no UTF-8", target: "/rest/v1/parks?name=eq.%FF%FE", statuses: [400]),
        Blow(name: "half an escape", target: "/rest/v1/parks?name=eq.%2", statuses: [400]),
        Blow(name: "an escaped slash in the path", target: "/rest/v1/%2e%2e%2fparks", statuses: [404]),
        Blow(name: "a megabyte of Prefer", head: "Prefer: \(many("a", 1 << 20))\r\n", statuses: [431, 0]),
        Blow(name: "40 KB of Prefer", head: "Prefer: \(many("a,", 20_000))\r\n", statuses: [431]),
        Blow(name: "150 fields", head: many("X-A: b\r\n", 150), statuses: [431]),
        Blow(name: "a Range of words", head: "Range: first-last\r\n", statuses: [416]),
        Blow(name: "a Range beyond numbers", head: "Range: 9999999999999999999999-\r\n", statuses: [416]),
        Blow(name: "two lengths", head: "Content-Length: 1\r\nContent-Length: 2\r\n", statuses: [400, 0]),
        Blow(name: "a length below zero", head: "Content-Length: -1\r\n", statuses: [400, 0]),
        Blow(name: "a length beyond numbers", head: "Content-Length: 99999999999999999999999\r\n", statuses: [400, 0]),
        Blow(
            name: "length and chunks", head: "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", method: "POST",
            statuses: [400, 401, 0]),
        Blow(name: "a token of dots", head: "Authorization: Bearer \(many(".", 8000))\r\n", statuses: [401]),
        Blow(name: "words for a token", head: "Authorization: \(many("a ", 8000))\r\n", statuses: [401]),
        Blow(
            name: "JSON 10,000 deep", target: "/auth/v1/token?grant_type=password", method: "POST",
            body: many("[", 10_000), statuses: [400]),
        Blow(
            name: "objects 2,000 deep", target: "/auth/v1/token?grant_type=password", method: "POST",
            body: many("{\"a\":", 2000) + "1" + many("}", 2000), statuses: [400]),
        Blow(
            name: "a number of 10,000 digits", target: "/auth/v1/token?grant_type=password", method: "POST",
            body: "{\"email\":" + many("9", 10_000) + "}", statuses: [400]),
        Blow(
            name: "a sign-in of 100 KB", target: "/auth/v1/token?grant_type=password", method: "POST",
            body: "{\"email\":\"" + many("a", 100_000) + "\"}", statuses: [413]),
        Blow(
            name: "a form of nonsense", target: "/functions/v1/sms-webhook", method: "POST",
            body: many("a=1&", 10_000), statuses: [403]),
        Blow(name: "a method of its own", method: "BREW", statuses: [400, 404, 405, 0]),
    ]

    @Test func `gets an answer, and the server goes on`() async throws {
        try await TestServer.run { server, _ in
            for blow in Self.blows {
                let client = try #require(RawClient(port: server.port))
                client.send(blow.bytes)
                let status = client.status() ?? 0
                #expect(blow.statuses.contains(status), "\(blow.name): \(status)")
            }
            #expect(try await server.send("GET", "/health", as: nil).status == 200)
        }
    }

    @Test func `gets no further when it is signed in`() async throws {
        try await TestServer.run { server, _ in
            let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
            let bodies = [
                "{\"plate_number\": \(deep)}", "[" + Self.many("{},", 3000) + "{}]",
                "{\"confidence\":1e\(Self.many("9", 100))}",
                "[" + Self.many("1,", 200_000) + "1]", "{\"plate_number\":\"\\u0000\"}",
                "{\"plate_number\":\"\\ud800\"}",
            ]
            for body in bodies {
                let answer = try await server.send("POST", "/rest/v1/vehicle_passages", body: Data(body.utf8))
                #expect([400, 413].contains(answer.status), "\(body.prefix(40)): \(answer.status)")
            }
            for blow in Self.blows where blow.method == "GET" && !blow.head.contains("Authorization") {
                let client = try #require(RawClient(port: server.port))
                client.send(
                    blow.bytes.replacing(
                        Data("Host: x\r\n".utf8),
                        with: Data("Host: x\r\nAuthorization: Bearer \(try server.token("a"))\r\n".utf8)))
                let status = client.status() ?? 0
                #expect(status < 500, "\(blow.name): \(status)")
            }
            #expect(try await server.send("GET", "/health", as: nil).status == 200)
        }
    }

    @Test func `that pipelines requests gets each answered, and an old one its own version`() async throws {
        try await TestServer.run { server, _ in
            let client = try #require(RawClient(port: server.port))
            client.send(
                Self.many("GET /health HTTP/1.1\r\nHost: x\r\n\r\n", 49)
                    + "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let (text, isClosed) = client.receive(waitSeconds: 20)
            #expect(text.components(separatedBy: "HTTP/1.1 200").count == 51)
            #expect(isClosed)
            let old = try #require(RawClient(port: server.port))
            old.send("GET /health HTTP/1.0\r\n\r\n")
            #expect(old.status() == 200)
        }
    }

    /// Embedded lists multiply: 300 rows with 300 rows of a kilobyte in each.
    @Test func `that asks for rows in rows in rows gets words instead of all memory`() async throws {
        try await TestServer.run { server, database in
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, recorded_at)
                select gen_random_uuid(), 'A' || n, repeat('x', 200), 'car', $1::uuid, now() - make_interval(secs => n)
                from generate_series(1, 300) n
                """, [TestDatabase.postA])
            let answer = try await server.send(
                "GET", "/rest/v1/vehicle_passages?select=id,highway_segments(vehicle_passages(*))")
            #expect(answer.status == 400)
            #expect(answer.text.contains("16 MB"), "\(answer.text.prefix(200))")
            let less = try await server.send(
                "GET", "/rest/v1/vehicle_passages?select=id,highway_segments(vehicle_passages(id))&limit=2")
            #expect(less.rows.count == 2)
        }
    }
}
