import Crypto
import Enforcement
import Foundation
import HTTPClient
import Logging
import MachineClock
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import PeerLink

@Suite("The wire between two posts", .timeLimit(.minutes(5)))
struct PeerListenerTests {
    private let desk = StandInPost()

    /// Runs a listener while `body` asks it, on a thread of its own.
    private func listening(_ body: @escaping @Sendable (String) throws -> Void) async throws {
        try await desk.listening { address in
            let result = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: Result { try body(address) }) }.start()
            }
            try result.get()
        }
    }

    private func caller(_ identity: PeerIdentity = PeerIdentity()) -> PeerCaller {
        PeerCaller(as: identity) { MachineClock.uptime }
    }

    private func post(_ address: String, _ path: String, _ body: Data) throws -> (status: Int, refused: PeerRefusal?) {
        let answer = try HTTPConnection().perform(
            HTTPRequest(.post, Secret("http://\(address)/peer/1/\(path)"), body: body))
        return (answer.status, try? JSONDecoder().decode(RefusalBody.self, from: answer.body).refused)
    }

    @Test func `pairs two that have the code, and then carries questions and answers`() async throws {
        let desk = desk
        try await listening { address in
            let caller = caller()
            let joined = try caller.join(address, code: desk.code, post: "BNP-B", port: 8460)
            #expect(joined.post == "BNP-A" && joined.key == desk.own.publicKey)
            for text in ["one", "two", String(repeating: "x", count: 3000)] {
                let answer = try caller.ask(Data(text.utf8), of: joined.key, at: address, wait: .seconds(1))
                #expect(answer == Data(text.utf8))
            }
        }
        #expect(desk.asked.load(ordering: .relaxed) == 3)
    }

    @Test func `pairs nobody without the code, or who is not the post at the other end`() async throws {
        let desk = desk
        try await listening { address in
            #expect(throws: PeerFailure("the other post has no such code; it may be over, or was used", refusal: .code))
            {
                try caller().join(address, code: .random(), post: "BNP-B", port: 8460)
            }
            #expect(throws: PeerFailure("it is not the post at the other end of the road", refusal: .post)) {
                try caller().join(address, code: desk.code, post: "BNP-X", port: 8460)
            }
            let nonsense = try post(address, "join", Data("{}".utf8))
            #expect(nonsense.refused == .code)
        }
        let paired = desk.paired.withLock { $0 }
        #expect(paired.isEmpty)
    }

    @Test func `answers nobody that it isn't paired with, and tells nothing to one that was taken back`() async throws {
        let desk = desk
        try await listening { address in
            #expect(throws: PeerFailure("the other post isn't paired with this one", refusal: .unknown)) {
                try caller().ask(Data("what?".utf8), of: desk.own.publicKey, at: address, wait: .seconds(1))
            }
            let identity = PeerIdentity()
            _ = desk.paired.withLock { $0.insert(identity.publicKey) }
            let friend = caller(identity)
            _ = try friend.ask(Data("what?".utf8), of: desk.own.publicKey, at: address, wait: .seconds(1))
            // It is taken back while its question waits.
            desk.wait.withLock { $0 = .seconds(1) }
            let taken = Thread {
                // Until it waits.
                usleep(300_000)
                desk.paired.withLock { $0 = [] }
            }
            taken.start()
            #expect(throws: PeerFailure("the other post isn't paired with this one", refusal: .unknown)) {
                try friend.ask(Data("what?".utf8), of: desk.own.publicKey, at: address, wait: .seconds(1))
            }
        }
    }

    @Test func `takes a question once, and none that was changed or was said to another`() async throws {
        let (desk, identity) = (desk, PeerIdentity())
        _ = desk.paired.withLock { $0.insert(identity.publicKey) }
        try await listening { address in
            let own = Curve25519.KeyAgreement.PrivateKey()
            let greeting = try Greeting(
                from: identity, to: desk.own.publicKey, ephemeral: own.publicKey.rawRepresentation,
                nonce: Data(count: 16))
            let body = try HTTPConnection().perform(
                HTTPRequest(
                    .post, Secret("http://\(address)/peer/1/greet"), body: JSONEncoder().encode(greeting))
            ).body
            let welcome = try JSONDecoder().decode(Welcome.self, from: body)
            let channel = try PeerChannel(
                session: welcome.session, own: own, other: welcome.ephemeral,
                transcript: welcome.transcript(of: desk.own.publicKey, to: greeting))
            let question = try welcome.session + channel.seal(Data("what?".utf8), 5, as: .question)
            #expect(try post(address, "ask", question).status == 200)
            #expect(try post(address, "ask", question).refused == .session, "a replay")
            let earlier = try welcome.session + channel.seal(Data("what?".utf8), 4, as: .question)
            #expect(try post(address, "ask", earlier).refused == .session, "an earlier one")
            var changed = try welcome.session + channel.seal(Data("what?".utf8), 6, as: .question)
            changed[changed.count - 1] ^= 1
            #expect(try post(address, "ask", changed).refused == .session, "a changed one")
            let answer = try welcome.session + channel.seal(Data("what?".utf8), 7, as: .answer)
            #expect(try post(address, "ask", answer).refused == .session, "an answer is no question")
            #expect(try post(address, "ask", Data(count: 100)).refused == .session)
            // A greeting that was meant for another, or was signed by another.
            let toOther = try Greeting(
                from: identity, to: PeerIdentity().publicKey, ephemeral: own.publicKey.rawRepresentation,
                nonce: Data(count: 16))
            #expect(try post(address, "greet", JSONEncoder().encode(toOther)).refused == .unknown)
            var forged = greeting
            forged.ephemeral = Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation
            #expect(try post(address, "greet", JSONEncoder().encode(forged)).refused == .unknown)
        }
        #expect(desk.asked.load(ordering: .relaxed) == 1)
    }

    @Test func `goes on when recorded greetings are played back beside it`() async throws {
        let (desk, identity) = (desk, PeerIdentity())
        _ = desk.paired.withLock { $0.insert(identity.publicKey) }
        try await listening { address in
            let caller = caller(identity)
            _ = try caller.ask(Data("1".utf8), of: desk.own.publicKey, at: address, wait: .seconds(1))
            let greeting = try JSONEncoder().encode(
                Greeting(
                    from: identity, to: desk.own.publicKey,
                    ephemeral: Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation, nonce: Data(count: 16))
            )
            for _ in 0..<PeerSessions.mostUnused * 3 { #expect(try post(address, "greet", greeting).status == 200) }
            let answer = try caller.ask(Data("2".utf8), of: desk.own.publicKey, at: address, wait: .seconds(1))
            #expect(answer == Data("2".utf8))
        }
    }

    @Test func `takes no body that is larger than a question`() async throws {
        try await listening { address in
            let answer = try post(address, "join", Data(count: PeerListener.mostGreetingBytes + 1))
            #expect(answer.status == 413 && answer.refused == nil)
        }
    }

    @Test func `says of something else at the address that it is no post`() async throws {
        let server = try LoopbackServer { connection, _ in connection.answer("200 OK", body: Data("hello".utf8)) }
        let identity = PeerIdentity()
        let address = "127.0.0.1:\(server.port)"
        let failure = #expect(throws: PeerFailure.self) {
            try caller(identity).ask(Data("1".utf8), of: PeerIdentity().publicKey, at: address, wait: .seconds(1))
        }
        #expect(
            failure?.isStranger == true && failure?.description == "what answers at \(address) is not the other post")
    }
}

@Suite("What is typed to pair two posts", .timeLimit(.minutes(5)))
struct PairingCodeTests {
    @Test func `is a code in any spelling that a person writes it in`() throws {
        let code = try #require(PairingCode(typed: "7K2M-9QXR-0ABC-DE45"))
        for typed in ["7k2m9qxr0abcde45", " 7K2M 9QXR OABC DE45 ", "7K2M-9QXR-oABC-DE45"] {
            #expect(PairingCode(typed: typed) == code)
        }
        #expect(PairingCode(typed: "7K2M-9QXR-0ABC-DE4I") == PairingCode(typed: "7K2M-9QXR-0ABC-DE41"))
        for typed in ["", "7K2M-9QXR-0ABC-DE4", "7K2M-9QXR-0ABC-DE455", "7K2M-9QXR-0ABC-DE4U", "7K2M-9QXR-0ABC-DE4é"] {
            #expect(PairingCode(typed: typed) == nil, "\(typed)")
        }
        #expect("\(code)" == "7K2M-9QXR-0ABC-DE45")
        let drawn = (0..<200).map { _ in PairingCode.random() }
        #expect(Set(drawn.map(\.symbols)).count == 200)
        #expect(drawn.allSatisfy { PairingCode(typed: "\($0)") == $0 })
    }

    @Test(arguments: [
        ("10.0.0.2", "10.0.0.2:8460"), ("10.0.0.2:9000", "10.0.0.2:9000"), (" bnp-b.lan ", "bnp-b.lan:8460"),
        ("[fd00::2]:8461", "[fd00::2]:8461"), ("[fd00::2]", "[fd00::2]:8460"),
    ])
    func `is an address with or without a port`(_ typed: String, _ address: String) {
        #expect(PeerCaller.address(typed: typed) == address)
    }

    @Test(arguments: [
        "", "http://10.0.0.2", "10.0.0.2/x", "10.0.0.2:0", "10.0.0.2:70000", "a@b", "a b", "10.0.0.2?x=1", "a#b",
        "fd00::2:1",
        "10.0.0.2:8460\r\nHost: x",
    ])
    func `is no address that leads elsewhere`(_ typed: String) {
        #expect(PeerCaller.address(typed: typed) == nil)
    }
}
