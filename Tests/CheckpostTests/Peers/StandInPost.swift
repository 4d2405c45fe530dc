import Foundation
import Logging
import MachineClock
import ServiceLifecycle
import Synchronization
import TestKit

@testable import PeerLink

/// The other post, as a test wants it: paired with whoever has its code, it answers each question with itself where it isn't told otherwise.
final class StandInPost: PeerDesk {
    let own = PeerIdentity()
    let code = PairingCode.random()
    let paired = Mutex(Set<PeerKey>())
    let wait = Mutex(Duration.zero)
    let asked = Atomic(0)

    private let post: (own: String, other: String)
    private let reply: @Sendable (Data) throws -> Data

    init(
        _ own: String = "BNP-A", pairsWith other: String = "BNP-B",
        reply: @escaping @Sendable (Data) throws -> Data = { $0 }
    ) {
        (post, self.reply) = ((own, other), reply)
    }

    func identity() throws -> PeerIdentity { own }
    func isPaired(with key: PeerKey) throws -> Bool { paired.withLock { $0.contains(key) } }

    func join(_ request: JoinRequest, from address: String) throws -> JoinReply {
        guard request.isProved(by: code), let key = PeerKey(raw: request.key) else { return .refused(.code) }
        guard request.post == post.other else { return .refused(.post) }
        _ = paired.withLock { $0.insert(key) }
        return .joined(JoinAnswer(post: post.own, key: own.publicKey, to: request, code: code))
    }

    func answer(_ question: Data, of key: PeerKey, from address: String) async throws -> Data {
        asked.wrappingAdd(1, ordering: .relaxed)
        let wait = wait.withLock { $0 }
        // So long the question waits here.
        if wait > .zero { try await Task.sleep(for: wait) }
        return try reply(question)
    }

    /// Answers at an address of this machine while `body` runs.
    func listening(_ body: (String) async throws -> Void) async throws {
        let port = try FreePort.next()
        let (running, isRunning) = AsyncStream.makeStream(of: Int.self)
        let listener = PeerListener(
            address: "127.0.0.1", port: port, desk: self, now: { MachineClock.uptime },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onTrouble: { _ in },
            onRunning: { isRunning.yield($0) })
        let group = ServiceGroup(services: [listener], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let service = Task { try await group.run() }
        for await _ in running { break }
        var failure: (any Error)?
        do { try await body("127.0.0.1:\(port)") } catch { failure = error }
        await group.triggerGracefulShutdown()
        try await service.value
        if let failure { throw failure }
    }
}
