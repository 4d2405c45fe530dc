import Crypto
import Enforcement
import Foundation
import HTTPClient

/// Why the other post gave no answer.
package struct PeerFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What it said; nil when it said nothing, or nothing that makes sense.
    package var refusal: PeerRefusal?

    /// Whether something answers there that is no post, or not this one.
    package var isStranger = false
    package var description: String

    package init(_ description: String, refusal: PeerRefusal? = nil, isStranger: Bool = false) {
        (self.description, self.refusal, self.isStranger) = (description, refusal, isStranger)
    }
}

/// Asks another post; one thread uses it, and it blocks until the answer is there.
package final class PeerCaller {
    package static let defaultPort = 8460

    /// Of one answer, sealed.
    static let mostAnswerBytes = 96 << 10

    private let connection: HTTPConnection
    private let identity: PeerIdentity
    private let now: () -> Instant
    private var channel: (channel: PeerChannel, peer: PeerKey, address: String, beganAt: Instant)?
    private var counter: UInt64 = 0

    /// - Parameters:
    ///   - cancellation: ends what is under way, from any thread.
    ///   - now: the time since the machine started.
    package init(
        as identity: PeerIdentity, cancellation: HTTPCancellation = HTTPCancellation(), now: @escaping () -> Instant
    ) {
        connection = HTTPConnection(cancellation: cancellation)
        self.identity = identity
        self.now = now
    }

    /// A host or a host with a port: `10.0.0.2`, `bnp-b.lan:8460`, `[fd00::2]:8460`.
    ///
    /// - Returns: the same with a port; nil when it is none. Nothing else of a URL comes through, so that nobody is led elsewhere.
    package static func address(typed: String) -> String? {
        let text = typed.trimmingCharacters(in: .whitespaces)
        let shape = /(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._\-]{1,253})(?::([0-9]{1,5}))?/
        guard let match = text.wholeMatch(of: shape) else { return nil }
        let port = match.2.map { Int($0) ?? 0 } ?? defaultPort
        guard (1...65535).contains(port) else { return nil }
        return "\(match.1):\(port)"
    }

    /// Pairs this post with the one at an address.
    ///
    /// - Parameters:
    ///   - address: as `address(typed:)` gives it.
    ///   - port: where this post listens.
    ///   - wantsWay: it is asked for its way to the server, and nothing else.
    /// - Returns: the other post's code and key.
    package func join(
        _ address: String, code: PairingCode, post: String, port: Int, wantsWay: Bool = false
    ) throws(PeerFailure) -> (post: String, key: PeerKey) {
        let nonce = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let request = JoinRequest(
            post: post, key: identity.publicKey, port: port, wantsWay: wantsWay, nonce: nonce, code: code)
        let body = try perform(address, "join", encoded(request), wait: .seconds(30))
        guard let answer = try? JSONDecoder().decode(JoinAnswer.self, from: body), let key = PeerKey(raw: answer.key),
            answer.isProved(by: code, to: request)
        else { throw PeerFailure("what answers at \(address) doesn't have this code", isStranger: true) }
        return (answer.post, key)
    }

    /// Asks a post that this one is paired with.
    ///
    /// - Parameter wait: so long the other may take until it begins to answer.
    package func ask(_ question: Data, of peer: PeerKey, at address: String, wait: TimeSpan) throws(PeerFailure) -> Data
    {
        let known = channel
        if let known, known.peer == peer, known.address == address,
            now() - known.beganAt < PeerSessions.longest - .minutes(5)
        {
        } else {
            try greet(peer, at: address)
        }
        guard let channel = channel?.channel else { throw PeerFailure("no conversation was begun") }
        counter += 1
        do {
            let sealed = try channel.seal(question, counter, as: .question)
            let answer = try perform(address, "ask", channel.session + sealed, wait: wait)
            return try channel.open(answer, counter, as: .answer)
        } catch {
            // Whatever became of it, a counter is never used twice: the next question begins anew.
            self.channel = nil
            throw error as? PeerFailure
                ?? PeerFailure("what answers at \(address) is not the other post", isStranger: true)
        }
    }

    private func greet(_ peer: PeerKey, at address: String) throws(PeerFailure) {
        channel = nil
        let own = Curve25519.KeyAgreement.PrivateKey()
        let nonce = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let greeting: Greeting
        do {
            greeting = try Greeting(from: identity, to: peer, ephemeral: own.publicKey.rawRepresentation, nonce: nonce)
        } catch { throw PeerFailure("the box's own key can't sign: \(error)") }
        let body = try perform(address, "greet", encoded(greeting), wait: .seconds(30))
        guard let welcome = try? JSONDecoder().decode(Welcome.self, from: body),
            welcome.session.count == PeerChannel.sessionBytes,
            peer.isSignature(welcome.signature, of: welcome.transcript(of: peer, to: greeting)),
            let begun = try? PeerChannel(
                session: welcome.session, own: own, other: welcome.ephemeral,
                transcript: welcome.transcript(of: peer, to: greeting))
        else { throw PeerFailure("what answers at \(address) is not the other post", isStranger: true) }
        channel = (begun, peer, address, now())
        counter = 0
    }

    private func encoded(_ value: some Encodable) throws(PeerFailure) -> Data {
        do { return try JSONEncoder().encode(value) } catch { throw PeerFailure("it can't be written: \(error)") }
    }

    private func perform(
        _ address: String, _ path: String, _ body: Data, wait: TimeSpan
    ) throws(PeerFailure) -> Data {
        let limits = HTTPLimits(
            connect: .seconds(15), total: .seconds(wait.seconds + 90), silence: .seconds(wait.seconds + 20),
            answerBytes: Self.mostAnswerBytes)
        let request = HTTPRequest(
            .post, Secret("http://\(address)/peer/1/\(path)"),
            headers: ["Content-Type": "application/octet-stream"], body: body, limits: limits)
        let answer: HTTPAnswer
        do throws(HTTPFailure) { answer = try connection.perform(request) } catch { throw PeerFailure(error.cause) }
        if answer.status == 200 { return answer.body }
        if let refused = try? JSONDecoder().decode(RefusalBody.self, from: answer.body) {
            throw PeerFailure(refused.refused.words, refusal: refused.refused)
        }
        throw PeerFailure("what answers at \(address) is no post: HTTP \(answer.status)", isStranger: true)
    }
}

extension PeerRefusal {
    var words: String {
        switch self {
        case .unknown: "the other post isn't paired with this one"
        case .session: "the conversation is over"
        case .code: "the other post has no such code; it may be over, or was used"
        case .post: "it is not the post at the other end of the road"
        case .known: "it is paired with this box already, as something else"
        case .way: "it lends its way to the server to nobody, or to as many boxes as it does (peer.relay)"
        case .unwell: "the other post can't answer now"
        }
    }
}
