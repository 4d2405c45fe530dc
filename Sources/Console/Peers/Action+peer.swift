import Enforcement
import Foundation
import Pages
import Storage

extension Action {
    /// What a technician does about the direct link to the other post.
    static let peer: [Action] = [
        Action(
            path: "peer/pair", help: "Make a code to be typed at the other post; it counts once, for ten minutes.",
            fields: "guest (yes for a box that is to be lent this one's link)", isForTechnician: true
        ) { console, fields, active in
            guard let code = try console.host.makePeerCode(forGuest: fields["guest"] == "yes") else {
                throw ConsoleError(.conflict, "error_peer_none")
            }
            console.log.notice("a code for the other post was made", metadata: ["by": "\(active.user.name)"])
            return Done(answer: ["code": code], next: "/technician#peer")
        },
        Action(
            path: "peer/join", help: "Pair this box with the one that shows a code.",
            fields: "address, code, hub (yes or no)",
            isForTechnician: true
        ) { console, fields, active in
            let address = try fields.text(
                "address", most: 260, or: ConsoleError(.unprocessableContent, "error_peer_address"))
            let code = try fields.text("code", most: 40, or: ConsoleError(.unprocessableContent, "error_peer_code"))
            switch await console.host.joinPeer(address: address, code: code, asHub: fields["hub"] == "yes") {
            case .paired: break
            case .badAddress: throw ConsoleError(.unprocessableContent, "error_peer_address")
            case .badCode: throw ConsoleError(.unprocessableContent, "error_peer_code")
            case .refused(let why): throw ConsoleError(.conflict, "error_peer_join", detail: why)
            }
            console.log.notice("paired with another box", metadata: ["by": "\(active.user.name)"])
            return Done(answer: ["paired": "true"], next: "/technician?said=peer_paired#peer")
        },
        Action(
            path: "peer/revoke", help: "End a pairing: the other box is told nothing any more.",
            fields: "key (of a hub or a guest)", isForTechnician: true
        ) { console, fields, active in
            let key = fields["key"].flatMap { $0.isEmpty ? nil : $0 }
            guard try console.store.peers.revoke(key: key, at: console.now) else {
                throw ConsoleError(.conflict, "error_peer_unpaired")
            }
            console.log.notice(
                "a pairing was ended",
                metadata: ["by": "\(active.user.name)", "key": "\(LogText.of(key ?? "the other post", limit: 64))"])
            return Done(answer: ["revoked": "true"], next: "/technician?said=peer_revoked#peer")
        },
    ]
}

extension TechnicianRoutes {
    /// Nil where there is no direct link.
    func peerModel(_ texts: Texts) async throws -> [String: Any]? {
        guard let standing = await console.host.peer() else { return nil }
        let now = console.now
        let place = [standing.post, standing.address].compactMap(\.self).joined(separator: " · ")
        let heard = standing.lastHeardAt.map { texts("peer_heard", ["time": texts.short($0, now: now)]) }
        var model: [String: Any] = [
            "state": [texts["peer_" + standing.state], place, heard ?? ""].filter { !$0.isEmpty }.joined(
                separator: " · "),
            "isPaired": standing.state != "unpaired",
            "others": try [Peer.Kind.hub, .guest].flatMap { kind in
                try console.store.peers.active(kind).map { peer in
                    ["key": peer.publicKey, "text": texts("peer_\(kind.rawValue)", ["post": peer.code])]
                }
            },
        ]
        if let offer = try console.store.peers.offer(), offer.takenBy == nil, offer.until > now {
            model["code"] = offer.code
            if !standing.own.isEmpty {
                model["ownText"] = texts("peer_own", ["addresses": standing.own.joined(separator: ", ")])
            }
            model["codeText"] = texts(
                offer.kind == .guest ? "peer_code_guest" : "peer_code", ["time": texts.short(offer.until, now: now)])
        }
        return model
    }
}
