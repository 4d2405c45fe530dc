import Foundation

/// What goes over the wire before there are keys. Each is JSON; bytes are base 64.
package struct JoinRequest: Codable, Sendable, Equatable {
    /// Of the post that joins.
    package var post: String
    package var key: Data

    /// Where it listens itself.
    package var port: Int

    /// Whether it wants this box's way to the server, and to be nothing else: see `Peer.Kind.guest`. A box of an earlier version doesn't
    /// know it, and takes the proof for none.
    package var wantsWay: Bool?
    var nonce: Data
    var proof: Data

    init(post: String, key: PeerKey, port: Int, wantsWay: Bool = false, nonce: Data, code: PairingCode) {
        (self.post, self.key, self.port, self.nonce) = (post, key.raw, port, nonce)
        self.wantsWay = wantsWay ? true : nil
        proof = Data()
        proof = code.proof(transcript)
    }

    private var transcript: Transcript {
        Transcript(
            wantsWay == true ? "join for the way" : "join", [Data(post.utf8), key, Data("\(port)".utf8), nonce])
    }

    /// Whether it comes from one who has the code, and says nothing that can't be.
    package func isProved(by code: PairingCode) -> Bool {
        code.isProof(proof, of: transcript) && post.utf8.count <= 64 && (1...65535).contains(port)
    }
}

package struct JoinAnswer: Codable, Sendable, Equatable {
    package var post: String
    package var key: Data
    var proof: Data

    package init(post: String, key: PeerKey, to request: JoinRequest, code: PairingCode) {
        (self.post, self.key) = (post, key.raw)
        proof = Data()
        proof = code.proof(transcript(request))
    }

    private func transcript(_ request: JoinRequest) -> Transcript {
        Transcript("joined", [Data(post.utf8), key, Data(request.post.utf8), request.key, request.nonce])
    }

    func isProved(by code: PairingCode, to request: JoinRequest) -> Bool {
        code.isProof(proof, of: transcript(request)) && post.utf8.count <= 64
    }
}

/// Begins a conversation. It names whom it is for, so that it is of no use to anybody else.
struct Greeting: Codable, Sendable {
    var key: Data
    var ephemeral: Data
    var nonce: Data
    var signature: Data

    init(from identity: PeerIdentity, to other: PeerKey, ephemeral: Data, nonce: Data) throws {
        (key, self.ephemeral, self.nonce) = (identity.publicKey.raw, ephemeral, nonce)
        signature = Data()
        signature = try identity.signature(of: transcript(to: other))
    }

    func transcript(to other: PeerKey) -> Transcript { Transcript("greet", [key, other.raw, ephemeral, nonce]) }
}

struct Welcome: Codable, Sendable {
    var session: Data
    var ephemeral: Data
    var signature: Data

    init(from identity: PeerIdentity, to greeting: Greeting, session: Data, ephemeral: Data) throws {
        (self.session, self.ephemeral) = (session, ephemeral)
        signature = Data()
        signature = try identity.signature(of: transcript(of: identity.publicKey, to: greeting))
    }

    func transcript(of own: PeerKey, to greeting: Greeting) -> Transcript {
        Transcript("welcome", [own.raw, greeting.key, greeting.ephemeral, ephemeral, greeting.nonce, session])
    }
}

/// Why one post doesn't answer another. Nobody proves it: it ends an exchange and changes nothing.
package enum PeerRefusal: String, Codable, Sendable, CaseIterable {
    /// This post isn't paired with whoever asks.
    case unknown
    /// The conversation is over, or was none: it is to be begun anew.
    case session
    /// There is no code that this was said with.
    case code
    /// It is not the post at the other end of the road.
    case post
    /// It is paired with this box already, as something else.
    case known
    /// It lends its way to the server to nobody, or to as many as it does.
    case way
    /// It can't answer now: its disk, its key.
    case unwell
}

struct RefusalBody: Codable { var refused: PeerRefusal }
