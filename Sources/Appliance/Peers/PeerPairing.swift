import Enforcement
import Foundation
import MachineClock
import PeerLink
import Storage

/// What a person does about the direct link, on the command line or the page.
package struct PeerPairing {
    package static let codeTerm = TimeSpan.minutes(10)

    private let store: Store
    private let configuration: Configuration

    package init(store: Store, configuration: Configuration) {
        (self.store, self.configuration) = (store, configuration)
    }

    /// Makes a code to be typed at the other post, or at a box that is to be lent the way to the server.
    ///
    /// - Throws: `AdvisedError` without a link in the configuration.
    package func makeCode(forGuest: Bool = false, at now: Instant) throws -> (code: PairingCode, until: Instant) {
        _ = try settings()
        let (code, until) = (PairingCode.random(), now + Self.codeTerm)
        try store.peers.offer(PeerOffer(code: code.description, kind: forGuest ? .guest : .post, until: until))
        return (code, until)
    }

    /// What to do with a code, in words.
    package func advice(_ code: PairingCode, forGuest: Bool = false, until: Instant) -> String {
        let own = ownAddresses
        let address = own.first ?? "ADDRESS"
        let others =
            own.count > 1
            ? " This box is at \(own.joined(separator: ", ")): take the one that the other box reaches." : ""
        let (place, more) = forGuest ? ("box", " --hub") : ("post", "")
        return
            "At the other \(place): sudo checkpost peer join \(address) \(code)\(more)"
            + (own.isEmpty ? ", with this box's address." : ".") + others
            + " The code counts once, and no earlier one does any more, until \(until.nepalText)."
    }

    /// Where the other post may reach this box, without addresses that lead nowhere else.
    package var ownAddresses: [String] {
        let port = configuration.peer?.port ?? PeerCaller.defaultPort
        let found = Set(Host.current().addresses).filter(Self.isReachable)
        return found.sorted { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return port == PeerCaller.defaultPort ? host : "\(host):\(port)"
        }
    }

    /// Loopback and link-local addresses are this machine's and this cable's own.
    static func isReachable(_ address: String) -> Bool {
        let text = address.lowercased()
        return !text.hasPrefix("127.") && !text.hasPrefix("169.254.") && text != "::1" && !text.hasPrefix("fe80:")
            && !text.contains("%")
    }

    /// Pairs this post with the one that shows a code.
    ///
    /// - Parameter asHub: not the post at the other end: a box that lends its way to the server.
    /// - Throws: `AdvisedError`.
    package func join(
        _ typedAddress: String, _ typedCode: String, asHub: Bool = false, at now: Instant
    ) throws -> Peer {
        let settings = try settings()
        guard let address = PeerCaller.address(typed: typedAddress) else {
            throw AdvisedError(
                "\"\(LogText.of(typedAddress, limit: 80))\" is no address.",
                hint: "Write the other post's as 10.0.0.2, or with its port as 10.0.0.2:8460.")
        }
        guard let code = PairingCode(typed: typedCode) else {
            throw AdvisedError(
                "This is no code.",
                hint: "It has 16 letters and digits, as the other post shows it: 7K2M-9QXR-0ABC-DE45.")
        }
        let caller = PeerCaller(as: try PeerKeeper(store).identity()) { MachineClock.uptime }
        let answer: (post: String, key: PeerKey)
        do throws(PeerFailure) {
            answer = try caller.join(
                address, code: code, post: configuration.post.code, port: settings.port, wantsWay: asHub)
        } catch {
            throw AdvisedError("The posts are not paired: \(error.description).", hint: Self.hint(error))
        }
        guard asHub || answer.post == configuration.otherPostCode else {
            throw AdvisedError(
                "The post at \(address) is \(LogText.of(answer.post, limit: 64)), and the one at the other end of the road "
                    + "\(configuration.otherPostCode).",
                hint: "Look at other_code in the configuration, and at the address.")
        }
        let known = try store.peers.active(key: answer.key.description)
        if let known, known.kind != (asHub ? .hub : .post) {
            throw AdvisedError(
                "This box is paired with \(LogText.of(known.code, limit: 64)) already, as something else.",
                hint: "End that first, at both: `checkpost peer list`, `checkpost peer revoke`.")
        }
        let peer = Peer(
            publicKey: answer.key.description, code: answer.post, kind: asHub ? .hub : .post, address: address,
            pairedAt: now)
        try store.peers.pair(peer, at: now)
        return peer
    }

    /// - Parameter code: of a hub; nil for the other post.
    /// - Throws: `AdvisedError` where there is none, or this is no address.
    package func move(_ code: String? = nil, to typed: String) throws -> String {
        guard let address = PeerCaller.address(typed: typed) else {
            throw AdvisedError(
                "\"\(LogText.of(typed, limit: 80))\" is no address.", hint: "Write it as 10.0.0.2, or as 10.0.0.2:8460."
            )
        }
        let peer = try peer(code)
        try store.peers.move(peer, to: address)
        return address
    }

    /// - Parameter code: whose; nil for the other post.
    /// - Throws: `AdvisedError` where there is none.
    package func revoke(_ code: String? = nil, at now: Instant) throws {
        try store.peers.revoke(key: peer(code).publicKey, at: now)
    }

    /// - Parameter name: a code, or how its key begins; nil for the other post.
    private func peer(_ name: String?) throws -> Peer {
        guard let name else {
            guard let peer = try store.peers.active() else { throw Self.unpaired(nil) }
            return peer
        }
        let all = try store.peers.list().filter { $0.status == .active }
        let meant = all.filter { $0.code == name || (name.count >= 8 && $0.publicKey.hasPrefix(name)) }
        guard let peer = meant.first else { throw Self.unpaired(name) }
        guard meant.count == 1 else {
            throw AdvisedError(
                "This box is paired with \(meant.count) boxes that are called \(LogText.of(name, limit: 64)).",
                hint: "Give the first digits of the key instead; `checkpost peer list` shows them.")
        }
        return peer
    }

    private static func unpaired(_ code: String?) -> AdvisedError {
        AdvisedError(
            "This post is paired with \(code.map { "no \(LogText.of($0, limit: 64))" } ?? "no other one").",
            hint: "`checkpost peer list` names those that it is paired with; `checkpost peer pair` begins.")
    }

    private func settings() throws -> Configuration.PeerSettings {
        guard let settings = configuration.peer else {
            throw AdvisedError(
                "This post has no direct link.",
                hint: "Put a line [peer] into the configuration, and restart the box: systemctl restart checkpost.")
        }
        return settings
    }

    private static func hint(_ failure: PeerFailure) -> String {
        switch failure.refusal {
        case .code: "Make a new code at the other post, checkpost peer pair, and type it within 10 minutes."
        case .post: "other_code has to name each other in the configurations of both posts."
        case .known: "End that first, at both: `checkpost peer list`, `checkpost peer revoke`."
        case .way: "Look there at [server] and peer.relay: it needs a server of its own, with https."
        case .unwell: "Look at the other post: checkpost status."
        case .unknown, .session, nil:
            "Look at the address, and whether the other post runs with [peer] in its configuration."
        }
    }
}
