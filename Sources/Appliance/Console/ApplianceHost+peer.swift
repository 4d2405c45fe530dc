import Console
import Enforcement
import Foundation
import PeerLink
import Storage

/// The direct link to the other post, for the technician's page.
extension ApplianceHost {
    func peer() async -> PeerStanding? {
        guard configuration.peer != nil else { return nil }
        var standing = standing()
        standing.own = PeerPairing(store: store, configuration: configuration).ownAddresses
        return standing
    }

    private func standing() -> PeerStanding {
        // What was paired a moment ago is not in the news of its part yet.
        let paired = try? store.peers.active(of: configuration.otherPostCode)
        guard let news = PartNews.read(of: .peer, in: folder), news.age() <= PartNews.oldAfter, let report = news.peer,
            (report.post ?? "") == (paired?.code ?? "")
        else {
            return PeerStanding(
                state: (paired == nil ? PeerReport.State.unpaired : .waiting).rawValue, post: paired?.code,
                address: paired?.addresses.first)
        }
        return PeerStanding(
            state: report.state.rawValue, post: report.post, address: report.address, lastHeardAt: report.lastHeardAt)
    }

    func makePeerCode(forGuest: Bool) throws -> String? {
        guard configuration.peer != nil else { return nil }
        return try PeerPairing(store: store, configuration: configuration).makeCode(
            forGuest: forGuest, at: BoxClock.now
        ).code.description
    }

    func joinPeer(address: String, code: String, asHub: Bool) async -> PeerJoining {
        guard PeerCaller.address(typed: address) != nil else { return .badAddress }
        guard PairingCode(typed: code) != nil else { return .badCode }
        let pairing = PeerPairing(store: store, configuration: configuration)
        return await withCheckedContinuation { continuation in
            // It waits for the network.
            DispatchQueue.global().async {
                do {
                    _ = try pairing.join(address, code, asHub: asHub, at: BoxClock.now)
                    continuation.resume(returning: .paired)
                } catch {
                    continuation.resume(returning: .refused("\(error)"))
                }
            }
        }
    }
}
