import Crypto
import Enforcement
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Pages
import ServiceLifecycle

/// What a listener needs of the box.
package protocol PeerDesk: Sendable {
    /// Throws when the key can't be read now.
    func identity() throws -> PeerIdentity

    /// Whether this post is paired with whoever has this key, now.
    func isPaired(with key: PeerKey) throws -> Bool

    /// What somebody says who wants to be paired.
    ///
    /// - Parameter address: where it comes from.
    func join(_ request: JoinRequest, from address: String) throws -> JoinReply

    /// Answers a question of a post that it is paired with. It may wait.
    func answer(_ question: Data, of key: PeerKey, from address: String) async throws -> Data
}

package enum JoinReply: Sendable, Equatable {
    case joined(JoinAnswer)
    case refused(PeerRefusal)
}

/// Listens for the other post, and answers it and nobody else.
///
/// Every body, wait and number of connections is bounded: whoever reaches the port is a stranger until its signature says otherwise.
package struct PeerListener: Service {
    /// Of who isn't known yet: a few words.
    static let mostGreetingBytes = 4096

    /// A question may carry a piece of what goes to the server.
    static let mostQuestionBytes = 48 << 10

    /// A stranger that sends a byte now and then ends here.
    private static let patience = Duration.seconds(30)
    private static let bounds = ConnectionCount.Bounds(most: 32, mostOfOthers: 32, mostOfOne: 6)

    private let address: String
    private let port: Int
    private let desk: any PeerDesk
    private let sessions: PeerSessions
    private let log: Logger
    private let onTrouble: @Sendable (String?) -> Void
    private let onRunning: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - now: the time since the machine started.
    ///   - onTrouble: gets why nobody can be listened to, and nil when it works.
    ///   - onRunning: gets the port, with port 0 the one that the system chose.
    package init(
        address: String, port: Int, desk: any PeerDesk, now: @escaping @Sendable () -> Instant, log: Logger,
        onTrouble: @escaping @Sendable (String?) -> Void, onRunning: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        (self.address, self.port, self.desk, self.log) = (address, port, desk, log)
        (self.onTrouble, self.onRunning) = (onTrouble, onRunning)
        sessions = PeerSessions(now: now)
    }

    package func run() async throws {
        await KeptServing.run {
            try await application().run()
        } failed: { error in
            log.error("the other post can't be listened to; it is tried again", metadata: ["error": "\(error)"])
            onTrouble(ListeningFault(error).words(at: "\(address):\(port)"))
        }
    }

    private func application() -> some ApplicationProtocol {
        let router = Router(context: PeerContext.self)
        router.post("/peer/1/join") { request, context in try await join(request, context) }
        router.post("/peer/1/greet") { request, _ in try await greet(request) }
        router.post("/peer/1/ask") { request, context in try await ask(request, context) }
        var quiet = log
        quiet.logLevel = .warning
        let gate = ConnectionCount(Self.bounds)
        return Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGate(gate)], idleTimeout: .seconds(60))),
            configuration: .init(address: .hostname(address, port: port), serverName: "checkpost"),
            onServerRunning: { channel in
                onTrouble(nil)
                onRunning(channel.localAddress?.port ?? 0)
            }, logger: quiet)
    }

    private func join(_ request: Request, _ context: PeerContext) async throws -> Response {
        let bytes = try await body(request, upTo: Self.mostGreetingBytes)
        guard let wanted = try? JSONDecoder().decode(JoinRequest.self, from: bytes) else { return Self.refuse(.code) }
        do {
            switch try desk.join(wanted, from: context.address) {
            case .joined(let answer): return try Self.json(answer)
            case .refused(let why): return Self.refuse(why)
            }
        } catch {
            log.error("the other post can't be paired with now", metadata: ["error": "\(error)"])
            return Self.refuse(.unwell)
        }
    }

    private func greet(_ request: Request) async throws -> Response {
        let bytes = try await body(request, upTo: Self.mostGreetingBytes)
        let identity: PeerIdentity
        do { identity = try desk.identity() } catch { return Self.refuse(.unwell) }
        guard let greeting = try? JSONDecoder().decode(Greeting.self, from: bytes),
            let peer = PeerKey(raw: greeting.key), greeting.nonce.count == 16,
            peer.isSignature(greeting.signature, of: greeting.transcript(to: identity.publicKey))
        else { return Self.refuse(.unknown) }
        do {
            guard try desk.isPaired(with: peer) else { return Self.refuse(.unknown) }
            let own = Curve25519.KeyAgreement.PrivateKey()
            let session = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
            let welcome = try Welcome(
                from: identity, to: greeting, session: session, ephemeral: own.publicKey.rawRepresentation)
            let channel = try PeerChannel(
                session: session, own: own, other: greeting.ephemeral,
                transcript: welcome.transcript(of: identity.publicKey, to: greeting))
            sessions.add(channel, of: peer)
            return try Self.json(welcome)
        } catch {
            log.error("the other post can't be greeted now", metadata: ["error": "\(error)"])
            return Self.refuse(.unwell)
        }
    }

    private func ask(_ request: Request, _ context: PeerContext) async throws -> Response {
        let bytes = try await body(request, upTo: Self.mostQuestionBytes)
        guard bytes.count > PeerChannel.sessionBytes,
            let asked = sessions.open(
                Data(bytes.dropFirst(PeerChannel.sessionBytes)), session: bytes.prefix(PeerChannel.sessionBytes))
        else { return Self.refuse(.session) }
        do {
            guard try desk.isPaired(with: asked.peer) else { return Self.refuse(.unknown) }
            let answer = try await desk.answer(asked.question, of: asked.peer, from: context.address)
            // It may have been taken back while the question waited.
            guard try desk.isPaired(with: asked.peer) else { return Self.refuse(.unknown) }
            let sealed = try asked.channel.seal(answer, asked.counter, as: .answer)
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: sealed)))
        } catch {
            log.error("the other post can't be answered now", metadata: ["error": "\(error)"])
            return Self.refuse(.unwell)
        }
    }

    private func body(_ request: Request, upTo most: Int) async throws -> Data {
        try await withThrowingTaskGroup(of: Data.self) { group in
            group.addTask {
                Data(try await request.body.collect(upTo: most).readableBytesView)
            }
            group.addTask {
                try await Task.sleep(for: Self.patience)
                throw HTTPError(.requestTimeout)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? Data()
        }
    }

    private static func json(_ value: some Encodable) throws -> Response {
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))))
    }

    private static func refuse(_ why: PeerRefusal) -> Response {
        let body = (try? JSONEncoder().encode(RefusalBody(refused: why))) ?? Data()
        return Response(
            status: why == .unwell ? .serviceUnavailable : .forbidden,
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

struct PeerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
