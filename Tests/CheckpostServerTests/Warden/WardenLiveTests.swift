import Foundation
import Pages
import TestKit
import Testing

@testable import checkpost_server

@Suite("An open page of the warden's", .serialized, .timeLimit(.minutes(10)))
struct WardenLiveTests {
    @Test func `is told when a number moved, and once more for what was not committed yet`() {
        var watch = NumberWatch()
        #expect(
            ["7", "7", "8", "8", "8", "9", "10", "10", "10"].map { watch.isNews($0) }
                == [false, false, true, true, false, true, true, true, false])
    }

    @Test func `hears of what is written, by whatever way, and of nothing else`() async throws {
        try await TestServer.run { server, database in
            let listener = try await server.warden("a").listener(at: "/warden/events")
            async let heard = listener.events(1)
            while server.gateway?.hub.readerCount == 0 { try await Task.sleep(for: .milliseconds(20)) }
            // The first look says what the page knows already: writing goes on until it is heard of.
            let url = database.ownerURL
            let writer = Task {
                let connection = try PostgresConnection(url: url)
                for number in 0..<200 {
                    try connection.record("BA1PA\(1000 + number)", at: TestDatabase.postC, TestDatabase.hoursAgo(1))
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            let events = try await heard
            writer.cancel()
            #expect(events.first?["event"] == "change" && events.first?["data"] == "{}", "\(events)")
            _ = await writer.result
        }
    }

    @Test func `hears nothing more after the sign-out, and nobody hears who isn't signed in`() async throws {
        try await TestServer.run { server, _ in
            let visitor = try await server.warden()
            let listener = visitor.listener(at: "/warden/events")
            async let heard = listener.events(5)
            while server.gateway?.hub.readerCount == 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await visitor.post("/warden/sign-out", [:]).status == 303)
            server.gateway?.hub.send("change")
            #expect(try await heard.isEmpty)
            #expect(try await Visitor(port: server.port).get("/warden/events").status == 401)
            #expect(server.gateway?.hub.readerCount == 0)
        }
    }
}
