import Enforcement
import Foundation
import Storage

/// Proposing matches to the server, whose answer is the word that counts.
extension SyncEngine {
    /// Proposes matches that were found here and that the server has not made.
    func proposeMatches() throws {
        for proposal in try store.matchesToPropose(limit: 50) {
            let body = [
                "entry_passage_id": proposal.entryServerID.uuidString.lowercased(),
                "exit_passage_id": proposal.exitServerID.uuidString.lowercased(),
            ]
            let (verdict, answer) = try askForVerdict(
                SyncRequest(
                    .post, "/functions/v1/match-passage", body: try JSONSerialization.data(withJSONObject: body)))
            switch verdict {
            case .accepted:
                try takeAnswer(answer, to: proposal)
            case .refused, .duplicate:
                // 409: one of the two has another match. The pull tells which; this one is no match in any case.
                try store.withdrawProposal(proposal, at: clock.now)
            case .forbidden, .unwell, .unauthorised, .silent, .tooLong, .unsendable:
                throw CycleEnd("Proposing a match: \(verdict.reason)")
            }
        }
    }

    private func takeAnswer(_ answer: ServerAnswer?, to proposal: MatchProposal) throws {
        guard let fields = answer?.json as? [String: Any], fields["matched"] as? Bool == true else {
            throw CycleEnd("The server's answer to a proposed match makes no sense.")
        }
        let ownIsEntry = try store.passage(clientID: proposal.ownClientID)?.serverID == proposal.entryServerID
        let (own, partner) =
            ownIsEntry
            ? (proposal.entryServerID, proposal.exitServerID) : (proposal.exitServerID, proposal.entryServerID)
        try store.learn(
            [OwnServerRow(clientID: proposal.ownClientID, serverID: own, matchedServerID: partner)], at: clock.now)
        if let violation = fields["violation"] as? [String: Any] {
            let data = try JSONSerialization.data(withJSONObject: violation)
            guard let row = try? JSONDecoder().decode(ServerRows.Violation.self, from: data) else {
                throw CycleEnd("The server's answer to a proposed match makes no sense.")
            }
            try takeViolations([row], cursor: nil)
        } else {
            try store.withdrawUnconfirmedViolations(at: clock.now)
        }
    }
}
