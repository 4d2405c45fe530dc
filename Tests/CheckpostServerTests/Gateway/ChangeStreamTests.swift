import Foundation
import Pages
import TestKit
import Testing

@testable import checkpost_server

@Suite("A box that listens", .serialized, .timeLimit(.minutes(10)))
struct ChangeStreamTests {
    private func listener(_ server: TestServer, _ user: String) throws -> Visitor.Listener {
        Visitor(port: server.port).listener(
            at: "/changes/v1", headers: ["Authorization": "Bearer \(try server.token(user))"])
    }

    private func waitForReaders(_ count: Int, _ server: TestServer) async throws {
        while server.gateway?.changes.readerCount != count { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test func `hears at once of what is written in its segment, and of nothing else`() async throws {
        try await TestServer.run { server, database in
            async let first = try listener(server, "b").events(2)
            // What was written while the first began to listen is in any segment.
            #expect(try await first.map { $0["event"] } == ["hello", "change"])
            async let near = try listener(server, "b").events(2)
            async let far = try listener(server, "c").events(2)
            async let office = try listener(server, "admin").events(3)
            // The first one's connection is missed only when it is written to.
            try await waitForReaders(4, server)
            let said = try await server.send(
                "POST", "/rest/v1/vehicle_passages", json: TestServer.passage("BA1PA1", "2026-11-21T10:00:00Z"))
            #expect(said.status == 201, "\(said.text)")
            let written = ContinuousClock.now
            #expect(try await near.map { $0["event"] } == ["hello", "change"])
            #expect(ContinuousClock.now - written < .seconds(10))
            let owner = try PostgresConnection(url: database.ownerURL)
            try owner.record("BA1PA2", at: TestDatabase.postC, TestDatabase.hoursAgo(1))
            // Who reads all hears of both roads.
            #expect(try await office.map { $0["event"] } == ["hello", "change", "change"])
            let heard = try await far
            #expect(heard.map { $0["event"] } == ["hello", "change"] && heard.last?["data"] == "{}", "\(heard)")
        }
    }

    @Test func `hears that the server is there, and nothing more once its account is closed`() async throws {
        try await TestServer.run { server, database in
            async let heard = try listener(server, "b").events(2)
            try await waitForReaders(1, server)
            server.gateway?.changes.tellAll(.alive)
            #expect(try await heard.map { $0["event"] } == ["hello", "alive"])
            async let more = try listener(server, "b").events(1)
            #expect(try await more.map { $0["event"] } == ["hello"])
            try database.owner.run("update user_profiles set is_active = false where id = $1", [server.users["b"]])
            server.gateway?.changes.tellAll(.alive)
            try await waitForReaders(0, server)
        }
    }

    @Test func `is nobody without a post`() async throws {
        try await TestServer.run { server, database in
            #expect(try await server.send("GET", "/changes/v1", as: nil).status == 401)
            #expect(try await server.send("GET", "/changes/v1", as: "anon").status == 401)
            #expect(try await server.send("POST", "/changes/v1", json: [:]).status == 405)
            try database.owner.run(
                "update user_profiles set assigned_checkpost_id = null where id = $1", [server.users["b"]])
            #expect(try await server.send("GET", "/changes/v1", as: "b").status == 403)
            #expect(server.gateway?.changes.readerCount == 0)
        }
    }

    /// Connections that were lost are missed late.
    @Test func `is heard again however often it begins anew, and shuts nobody else out`() async throws {
        let hubs = ChangeHubs()
        let segment = UUID()
        let streams = (0..<EventHub.maximumOfOne + 3).map { _ in hubs.subscribe(to: segment, for: "a") }
        #expect(!streams.contains { $0 == nil } && hubs.readerCount == EventHub.maximumOfOne)
        #expect(hubs.subscribe(to: segment, for: "b") != nil && hubs.subscribe(to: UUID(), for: "a") != nil)
        hubs.tell([segment])
        hubs.finish()
        var heard: [Int] = []
        for stream in streams {
            var count = 0
            if let stream { for await _ in stream { count += 1 } }
            heard.append(count)
        }
        #expect(heard == [0, 0, 0] + Array(repeating: 1, count: EventHub.maximumOfOne))
    }
}
