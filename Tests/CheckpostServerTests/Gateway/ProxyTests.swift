import Foundation
import Testing

@testable import checkpost_server

@Suite("Behind a proxy", .serialized, .timeLimit(.minutes(10)))
struct ProxyTests {
    private let proxies = Result { try TrustedProxies(["10.0.0.0/8", "::1", "192.168.1.7"]) }

    @Test(arguments: [
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["6.6.6.6, 203.0.113.9, 10.0.0.7"], "203.0.113.9"),
        ("10.0.0.1", ["6.6.6.6", "203.0.113.9 ,10.0.0.7"], "203.0.113.9"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("::1", ["2001:db8::5"], "2001:db8::5"),
        ("192.168.1.8", ["203.0.113.9"], "192.168.1.8"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
    ])
    func `the client is who the trusted proxies say`(neighbour: String, values: [String], client: String) throws {
        #expect(try proxies.get().client(of: neighbour, forwardedFor: values) == client)
        #expect(try TrustedProxies([]).client(of: neighbour, forwardedFor: values) == neighbour)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "proxy", "", "10.0.0.0/-1", "::1/129"])
    func `what is no network is refused`(text: String) {
        #expect(throws: Settings.Mistake.self) { try TrustedProxies([text]) }
        #expect(throws: Settings.Mistake.self) {
            try SettingsFile.settings(toml: "[server]\ntrusted_proxies = [\"\(text)\"]\n")
        }
    }

    private static func attempts(
        _ server: TestServer, _ user: String, from address: String, count: Int
    ) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count {
            statuses.append(
                try await server.send(
                    "POST", "/auth/v1/token?grant_type=password", as: "anon", ["X-Forwarded-For": address],
                    json: ["email": "\(user)@bnp.local", "password": "wrong-password"]
                ).status)
        }
        return statuses
    }

    @Test func `one client's attempts don't lock out another`() async throws {
        try await TestServer.run({
            $0.signInPerMinute = 2
            $0.trustedProxies = ["127.0.0.1"]
        }) { server, _ in
            let answers1 = try await Self.attempts(server, "a", from: "203.0.113.1", count: 3)
            #expect(answers1 == [400, 400, 429])
            let answers2 = try await Self.attempts(server, "a", from: "203.0.113.2", count: 2)
            #expect(answers2 == [400, 400])
        }
    }

    @Test func `one client can't try many accounts`() async throws {
        try await TestServer.run({
            $0.signInPerMinute = 2
            $0.trustedProxies = ["127.0.0.1"]
        }) { server, _ in
            var statuses: [Int] = []
            for number in 0..<12 {
                statuses += try await Self.attempts(server, "user\(number)", from: "203.0.113.1", count: 1)
            }
            #expect(statuses.prefix(10).allSatisfy { $0 == 400 })
            #expect(statuses.suffix(1) == [429])
        }
    }

    @Test func `without the setting the header says nothing`() async throws {
        try await TestServer.run({ $0.signInPerMinute = 2 }) { server, _ in
            let answers3 = try await Self.attempts(server, "a", from: "203.0.113.1", count: 2)
            #expect(answers3 == [400, 400])
            let answers4 = try await Self.attempts(server, "a", from: "203.0.113.2", count: 1)
            #expect(answers4 == [429])
        }
    }
}
