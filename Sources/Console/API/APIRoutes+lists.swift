import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

/// Whether a list has changed: whoever keeps one asks for it again when its revision is another, and not each second.
struct Revisions: Encodable, Sendable {
    let passages: String
    let reviews: String
    let alerts: String
    let matches: String
    let queue: String

    init(_ store: Store) throws {
        let all = try store.revisions(of: [
            [.passage, .match, .violation], [.review, .passage],
            [.violation, .overstayAlert, .passage, .match, .setting], [.match, .passage], [.queue],
        ])
        (passages, reviews, alerts, matches, queue) = (all[0], all[1], all[2], all[3], all[4])
    }
}

/// A violation with the outcome that holds, and what a change of it needs.
struct OutcomeView: Encodable, Sendable {
    let alert: AlertView

    /// What `POST /api/outcomes` takes as `seen`.
    let seen: String
    let kind: String

    /// `Fined Rs 500`
    let what: String
    let fine: String
    let notes: String

    /// Who recorded it, and when.
    let by: String

    /// A day after the first outcome only the warden changes it.
    let isClosed: Bool
}

extension APIRoutes {
    func addLists(to router: Router<ConsoleContext>) {
        read(router, "outcomes") { _, context in json(try outcomes(context.texts)) }
        read(router, "matches") { _, context in
            json(try console.store.matches.possible(limit: 50).map { PossibleMatchView($0, console, context.texts) })
        }
        read(router, "queue") { _, context in json(try queue(context.texts)) }
    }

    private func outcomes(_ texts: Texts) throws -> [OutcomeView] {
        let now = console.now
        return try console.alerts.done(at: now).compactMap { stored in
            guard let outcome = stored.outcome else { return nil }
            let known = try console.store.violations.outcomes(ofViolation: stored.id)
            let alert = try console.alert(stored.violation, raisedAt: stored.createdAt)
            return OutcomeView(
                alert: console.alertViews([alert], texts, withPictures: false)[0], seen: Outcome.version(of: known),
                kind: outcome.kind.rawValue,
                what: [texts["outcome_" + outcome.kind.rawValue], texts.fine(outcome)].filter { !$0.isEmpty }
                    .joined(separator: " "),
                fine: outcome.fineAmount.map(Outcome.sum) ?? "", notes: outcome.notes ?? "",
                by: texts(
                    "recorded_by",
                    ["name": outcome.recordedBy, "time": texts.short(outcome.recordedAt, now: now)]),
                isClosed: Outcome.changeableUntil(known).map { $0 <= now } ?? false)
        }
    }

    private struct QueueView: Encodable {
        struct Entry: Encodable {
            let id: String
            let entity: String
            let plate: String
            let error: String
        }
        let text: String
        let dead: [Entry]
        let runs: [String]
    }

    private func queue(_ texts: Texts) throws -> QueueView {
        let now = console.now
        let dead = try console.store.queue.entries(status: .failed, limit: 100)
        return QueueView(
            text: StatusView.queue(try console.store.figures.now(), texts, now).text,
            dead: try dead.map { entry in
                .init(
                    id: "\(entry.id)", entity: entry.entity.rawValue,
                    plate: try console.store.passages.passage(clientID: entry.passageClientID)?.passage.plate.canonical
                        ?? "", error: entry.lastError ?? "")
            }, runs: try console.store.runs.list(limit: 5).map { TechnicianRoutes.line($0, texts, now: now) })
    }
}
