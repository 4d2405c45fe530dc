import Enforcement
import Foundation
import Ranger
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
            guard let kind = fields["kind"].flatMap(Outcome.Kind.init(rawValue:)) else { throw ConsoleError.input }
            try console.ranger.recordOutcome(
                of: try fields.uuid("violation_id"), kind, fine: fields["fine_amount"], notes: fields["notes"],
                seen: fields["seen"], by: active.user.name)
            return Done(next: "/?said=outcome")
        },
        Action(
            path: "overstays/dismiss", help: "Close the alert of a vehicle that is inside too long.",
            fields: "id, reason"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            try console.ranger.dismiss(overstay: id, reason: fields["reason"] ?? "", by: active.user.name)
            return Done(next: "/overstays?said=dismissed")
        },
        Action(
            path: "matches/reject", help: "Say that two plates that look alike are two vehicles.", fields: "id"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            try console.ranger.reject(possibleMatch: id, by: active.user.name)
            return Done(next: "/overstays?said=judged")
        },
        Action(
            path: "matches/accept",
            help: "Say that two plates that look alike are one vehicle, and that the other post read it right.",
            fields: "id"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            let recorded = try console.ranger.accept(possibleMatch: id, by: active.user.name)
            return Done(
                answer: answer(recorded),
                next: "/passage?id=\(recorded.passage.clientID.uuidString.lowercased())&said=corrected")
        },
    ]
}
