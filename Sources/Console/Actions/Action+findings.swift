import Enforcement
import Foundation
import Pages
import Ranger
import Storage

extension Action {
    static let findings: [Action] = [
        touch("alerts/later", help: "Put an alert off: it is silent for five minutes, and comes again.", isSeen: false),
        touch("alerts/seen", help: "Say that an alert was seen: it stays in the list, with the name.", isSeen: true),
        Action(
            path: "alerts/unseen", help: "Take back that an alert was seen or put off: it comes again.", fields: "id"
        ) {
            console, fields, _ in
            try console.store.alerts.untouch(alert: try alert(console, fields))
            return Done(next: "/alerts")
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
            return Done(next: "/?said=outcome&of=" + (try fields.uuid("violation_id")).uuidString.lowercased())
        },
        Action(
            path: "overstays/dismiss", help: "Close the alert of a vehicle that is inside too long.",
            fields: "id, reason"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            try console.ranger.dismiss(overstay: id, reason: fields["reason"] ?? "", by: active.user.name)
            return Done(next: "/overstays?said=dismissed&of=\(id)")
        },
        Action(
            path: "matches/reject", help: "Say that two plates that look alike are two vehicles.", fields: "id"
        ) { console, fields, active in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            try console.ranger.reject(possibleMatch: id, by: active.user.name)
            return Done(next: "/overstays?said=judged&of=\(id)")
        },
        Action(
            path: "matches/restore", help: "Take back that two plates that look alike are two vehicles.", fields: "id"
        ) { console, fields, _ in
            guard let id = fields["id"].flatMap(Int64.init) else { throw ConsoleError.input }
            try console.ranger.restore(possibleMatch: id)
            return Done(next: "/overstays#match-\(id)")
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

    /// The name of an alert that is out.
    private static func alert(_ console: Console, _ fields: Fields) throws -> String {
        let id = try fields.text("id", most: 100)
        guard try console.alerts.open(at: console.now).contains(where: { $0.id == id }) else {
            throw ConsoleError(.conflict, "error_gone")
        }
        return id
    }

    private static func touch(_ path: String, help: String, isSeen: Bool) -> Action {
        Action(path: path, help: help, fields: "id (as /api/alerts gives it)") { console, fields, active in
            try console.store.alerts.touch(
                alert: try alert(console, fields),
                AlertTouch(by: active.user.name, at: console.now, isSeen: isSeen))
            return Done(next: isSeen ? "/alerts?said=seen" : "/?said=later")
        }
    }
}
