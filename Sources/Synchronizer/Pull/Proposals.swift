import Enforcement
import Foundation
import ParkAPI
import Storage

/// Proposing matches to the server, whose answer is the word that counts.
struct Proposals {
    let context: SyncContext
    let findings: Findings

    /// Proposes matches that were found here and that the server has not made.
    func propose() throws {
        for proposal in try context.store.reconciliation.matchesToPropose(limit: 50) {
            let (verdict, answer) = try context.askForVerdict(
                FunctionCall(.matchPassage, MatchQuestion(entry: proposal.entryServerID, exit: proposal.exitServerID)))
            switch verdict {
            case .accepted:
                try takeAnswer(answer, to: proposal)
            case .refused where answer?.status == 404 && context.dialect?.can(.deletions) == true:
                // The server lost one of the two, and gets it again; or it was deleted, and the deletion is told. Neither is a word
                // against the match: taken for one, a vehicle that left would count as inside.
                continue
            case .refused, .duplicate:
                // 409: one of the two has another match. The pull tells which; this one is no match in any case.
                try context.store.reconciliation.withdrawProposal(proposal, at: context.clock.now)
            case .forbidden, .unwell, .unauthorised, .silent, .tooLong, .unsendable:
                throw CycleEnd("Proposing a match: \(verdict.reason)")
            }
        }
    }

    private func takeAnswer(_ answer: ServerAnswer?, to proposal: MatchProposal) throws {
        guard let found = answer?.object(MatchAnswer.self), found.matched else {
            throw CycleEnd("The server's answer to a proposed match makes no sense.")
        }
        let ownIsEntry =
            try context.store.passages.passage(clientID: proposal.ownClientID)?.serverID == proposal.entryServerID
        let (own, partner) =
            ownIsEntry
            ? (proposal.entryServerID, proposal.exitServerID) : (proposal.exitServerID, proposal.entryServerID)
        try context.store.reconciliation.learn(
            [OwnServerRow(clientID: proposal.ownClientID, serverID: own, matchedServerID: partner)],
            at: context.clock.now)
        if let violation = found.violation {
            try findings.take([violation], cursor: nil)
        } else {
            try context.store.reconciliation.withdrawUnconfirmedViolations(at: context.clock.now)
        }
    }
}
