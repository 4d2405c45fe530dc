import Enforcement
import Foundation
import MachineClock
import Synchronization
import TestKit
import Testing

@testable import PeerLink

@Suite("Connections that are lent", .timeLimit(.minutes(2)))
struct RelayConnectionsTests {
    private static let ask = Data("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    private func server() throws -> LoopbackServer {
        try LoopbackServer { connection, _ in connection.answer("200 OK", body: Data("[1]".utf8)) }
    }

    private func connections(_ port: UInt16, rest: TimeSpan = .seconds(90)) -> RelayConnections {
        RelayConnections(host: "127.0.0.1", port: Int(port), longestRest: rest) { MachineClock.uptime }
    }

    private func isOpen(_ connections: RelayConnections, _ name: String) async throws -> Bool {
        try await connections.exchange(name, Self.ask, wait: .seconds(5)).map { !$0.isOver } ?? false
    }

    @Test func `carry bytes both ways, and are none after their end`() async throws {
        let server = try server()
        let connections = connections(server.port)
        try await connections.open("a")
        let came = try await connections.exchange("a", Self.ask, wait: .seconds(5))
        #expect(
            came?.isOver == false && came.map { String(decoding: $0.bytes, as: UTF8.self).hasSuffix("[1]") } == true)
        connections.close("a")
        #expect(try await connections.exchange("a", Self.ask, wait: .seconds(1)) == nil)
        await #expect(throws: (any Error).self) {
            try await self.connections(UInt16(try FreePort.next())).open("a")
        }
    }

    @Test func `are four at most: the one that was used longest ago gives way`() async throws {
        let server = try server()
        let moment = Mutex(Int64(0))
        let connections = RelayConnections(host: "127.0.0.1", port: Int(server.port)) {
            moment.withLock {
                $0 += 1
                return Instant(milliseconds: $0)
            }
        }
        for name in ["a", "b", "c", "d"] { try await connections.open(name) }
        #expect(try await isOpen(connections, "a"))
        try await connections.open("e")
        for (name, stays) in [("a", true), ("b", false), ("c", true), ("d", true), ("e", true)] {
            #expect(try await isOpen(connections, name) == stays, "\(name)")
        }
    }

    @Test func `leave others theirs, however many one wants`() async throws {
        let server = try server()
        let moment = Mutex(Int64(0))
        let connections = RelayConnections(host: "127.0.0.1", port: Int(server.port), most: 6) {
            moment.withLock {
                $0 += 1
                return Instant(milliseconds: $0)
            }
        }
        for name in ["a", "b"] { try await connections.open(name, of: "one") }
        for number in 0..<9 { try await connections.open("\(number)", of: "greedy") }
        try await connections.open("c", of: "third")
        for name in ["a", "b", "c", "7", "8"] { #expect(try await isOpen(connections, name), "\(name)") }
        for name in ["0", "5"] { #expect(try await !isOpen(connections, name), "\(name)") }
    }

    @Test func `end by themselves when nobody asks about them`() async throws {
        let ended = Atomic(false)
        let server = try LoopbackServer { connection, _ in
            connection.answer("200 OK", body: Data("[1]".utf8))
            connection.waitForEnd()
            ended.store(true, ordering: .relaxed)
            return false
        }
        let connections = connections(server.port, rest: .seconds(1))
        try await connections.open("a")
        #expect(try await isOpen(connections, "a"))
        let end = ContinuousClock.now + .seconds(30)
        while !ended.load(ordering: .relaxed), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        let hasEnded = ended.load(ordering: .relaxed)
        #expect(hasEnded)
        #expect(try await connections.exchange("a", Self.ask, wait: .seconds(1)) == nil)
    }

    /// A server that takes nothing holds up what is written to it, and not for ever.
    @Test func `end though something waits to be written`() async throws {
        // Nobody takes its connections, and nobody reads from one.
        let stuck = try LoopbackSocket.listening()
        defer { close(stuck.descriptor) }
        let connections = connections(stuck.port, rest: .seconds(1))
        try await connections.open("a")
        let end = ContinuousClock.now + .seconds(60)
        var isThere = true
        while isThere, ContinuousClock.now < end {
            isThere = try await connections.exchange("a", Data(count: 20_000), wait: .seconds(0)) != nil
        }
        #expect(!isThere)
    }
}
