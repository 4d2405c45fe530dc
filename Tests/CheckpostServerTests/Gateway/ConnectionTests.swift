import Foundation
import Testing

@testable import checkpost_server

@Suite("Connections", .serialized, .timeLimit(.minutes(10)))
struct ConnectionTests {
    private static var quick: ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.headSeconds, limits.idleSeconds, limits.graceSeconds, limits.drainSeconds) = (0.5, 0.7, 0.6, 0.4)
        return limits
    }

    @Test func `end when the head doesn't come`() async throws {
        try await TestServer.run(limits: Self.quick) { server, _ in
            let silent = try #require(RawClient(port: server.port))
            let slow = try #require(RawClient(port: server.port))
            slow.send("GET /health HTTP/1.1\r\nHost:")
            #expect(silent.receive().isClosed)
            #expect(slow.receive().isClosed)
        }
    }

    @Test func `end when nothing follows an answer`() async throws {
        try await TestServer.run(limits: Self.quick) { server, _ in
            let client = try #require(RawClient(port: server.port))
            client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            let (text, isClosed) = client.receive()
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(isClosed)
        }
    }

    @Test func `with a body that trickles get 408 and end`() async throws {
        try await TestServer.run(limits: Self.quick) { server, _ in
            let client = try #require(RawClient(port: server.port))
            client.send(
                "POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{")
            for _ in 0..<4 {
                client.send(" ")
                try await Task.sleep(for: .milliseconds(100))
            }
            let (text, isClosed) = client.receive()
            #expect(text.hasPrefix("HTTP/1.1 408"), "\(text.prefix(60))")
            #expect(text.contains("too slowly"))
            #expect(isClosed)
        }
    }

    @Test(arguments: [0, 30]) func `of a client that doesn't read its answer end, whatever it read before`(before: Int)
        async throws
    {
        var limits = Self.quick
        limits.leastBytesPerSecond = 200_000
        try await TestServer.run(limits: limits) { server, database in
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, recorded_at)
                select gen_random_uuid(), 'A' || n, repeat('x', 200), 'car', $1::uuid, now() - make_interval(secs => n)
                from generate_series(1, 1000) n
                """, [TestDatabase.postA])
            let client = try #require(RawClient(port: server.port, receiveBufferBytes: 4096))
            let request =
                "GET /rest/v1/vehicle_passages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(try server.token("a"))\r\n\r\n"
            for _ in 0..<before {
                client.send(request)
                #expect(try #require(client.answer()) > 300_000)
            }
            for _ in 0..<20 { client.send(request) }
            // Only the server's end of it shows: its place is free again.
            for _ in 0..<200 where server.connectionsInUse > 0 { try await Task.sleep(for: .milliseconds(100)) }
            #expect(server.connectionsInUse == 0)
        }
    }

    @Test func `are so many in all, and so many of one address`() async throws {
        let log = LogLines()
        try await TestServer.run({ ($0.connections, $0.connectionsPerAddress) = (20, 10) }, log: log) { server, _ in
            var clients: [RawClient] = []
            for _ in 0..<10 {
                let client = try #require(RawClient(port: server.port))
                client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.status() == 200)
                clients.append(client)
            }
            let more = try #require(RawClient(port: server.port))
            #expect(more.receive().isClosed)
            #expect(log.lines(with: "turned away").contains { $0.contains("Too many connections") })
            clients.removeAll()
            for _ in 0..<100 where server.connectionsInUse > 0 { try await Task.sleep(for: .milliseconds(50)) }
            let next = try #require(RawClient(port: server.port))
            next.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(next.status() == 200)
        }
    }

    @Test func `of a stranger who sends a photo end before the photo is read`() async throws {
        try await TestServer.run(limits: Self.quick) { server, _ in
            let path = "/storage/v1/object/passage-photos/\(UUID().uuidString.lowercased()).jpg"
            for head in ["", "Authorization: Bearer \(try server.token("a"))\r\n"] {
                let client = try #require(RawClient(port: server.port))
                client.send("POST \(path) HTTP/1.1\r\nHost: x\r\n\(head)Content-Length: 2000000\r\n\r\n")
                client.send(Data(count: 100_000))
                let (text, isClosed) = client.receive()
                #expect(text.hasPrefix(head.isEmpty ? "HTTP/1.1 401" : "HTTP/1.1 403"), "\(text.prefix(40))")
                #expect(text.lowercased().contains("connection: close"))
                #expect(isClosed)
                #expect(server.bodyBytesInUse == 0)
            }
        }
    }

    @Test func `share the memory for bodies, and give it back`() async throws {
        try await TestServer.run({
            ($0.bodyBytes, $0.photoBytes, $0.bodyMemoryBytes) = (4096, 100_000, 300_000)
        }) { server, _ in
            let answer = try await server.send(
                "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"],
                json: TestServer.passage("A1", "2026-11-21T10:00:00Z"))
            let id = answer.rows.first?["id"] as? String ?? ""
            let head = """
                POST /storage/v1/object/passage-photos/\(id).jpg HTTP/1.1\r\nHost: x\r\n\
                Authorization: Bearer \(try server.token("a"))\r\nContent-Length: 90000\r\n\r\n
                """
            var clients: [RawClient] = []
            for count in 1...2 {
                let client = try #require(RawClient(port: server.port))
                client.send(head)
                client.send(Data(count: 70_000))
                clients.append(client)
                for _ in 0..<100 where server.bodyBytesInUse < count * 70_000 {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(server.bodyBytesInUse == 140_000)
            let late = try #require(RawClient(port: server.port))
            late.send(head)
            late.send(Data(count: 90_000))
            #expect(late.status() == 503)
            clients.removeAll()
            for _ in 0..<100 where server.bodyBytesInUse > 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(server.bodyBytesInUse == 0)
        }
    }
}
