import Enforcement
import Foundation
import Storage

extension Action {
    static let findings: [Action] = [
        Action(
            path: "alerts/later", help: "Put an alert off: it stops sounding and stays in the list.",
            fields: "id (as /api/alerts gives it)"
        ) { console, fields, active in
            let id = try fields.text("id", most: 100)
            guard try console.alerts.open(at: console.now).contains(where: { $0.id == id }) else {
                throw ConsoleError(.conflict, "error_gone")
            }
            try console.store.touch(alert: id, by: active.user.name, at: console.now)
            return Done(next: "/?said=later")
        },
        Action(
            path: "outcomes", help: "Record what was done about a violation. It can be changed for 24 hours.",
            fields:
                "violation_id, kind (warned, fined, let_go, not_found, other), fine_amount (only for fined), notes, "
                + "seen (optional: 0 when no outcome was known; 409 when there is another one)"
        ) { console, fields, active in
            try console.recordOutcome(fields, by: active.user)
            return Done(next: "/?said=outcome")
        },
        Action(
            path: "overstays/dismiss", help: "Close the alert of a vehicle that is inside too long.",
            fields: "id, reason"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            let reason = try fields.text("reason", most: 200, or: ConsoleError(.unprocessableContent, "error_reason"))
            try console.store.dismissAlert(id: id, reason: reason, by: active.user.name, at: console.now)
            return Done(next: "/overstays?said=dismissed")
        },
        Action(
            path: "matches/reject", help: "Say that two plates that look alike are two vehicles.", fields: "id"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            try console.store.rejectPossibleMatch(id: id, by: active.user.name, at: console.now)
            return Done(next: "/overstays?said=judged")
        },
        Action(
            path: "matches/accept",
            help: "Say that two plates that look alike are one vehicle, and that the other post read it right.",
            fields: "id"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            let passage = try console.accept(possibleMatch: id, by: active.user)
            return Done(
                answer: [
                    "client_id": passage.clientID.uuidString.lowercased(), "plate": passage.plate.canonical,
                ], next: "/passage?id=\(passage.clientID.uuidString.lowercased())&said=corrected")
        },
    ]
}

extension Console {
    /// Gives the passage of this post the plate that the other post read, and matches it. Both versions are kept.
    func accept(possibleMatch id: Int64, by user: User) throws -> Passage {
        guard let stored = try store.possibleMatches(limit: 1000).first(where: { $0.id == id }) else {
            throw ConsoleError(.conflict, "error_gone")
        }
        let isOwnEntry = stored.match.entry.checkpostCode == post.code
        let own = isOwnEntry ? stored.match.entry : stored.match.exit
        let other = isOwnEntry ? stored.match.exit : stored.match.entry
        let passage = try store.correct(
            clientID: own.clientID, to: other.plate, reason: "One vehicle: \(other.checkpostCode) read it so.",
            by: user.name, at: now)
        host.match([passage])
        return passage
    }
}
