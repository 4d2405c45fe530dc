import Enforcement
import Foundation
import Hummingbird
import Pages
import Ranger
import Storage

/// What a page says of what was just done: which vehicle it was, and how it is taken back.
struct SaidView: Encodable, Sendable {
    let text: String

    /// Where a form with the id takes it back; nil where it can't be.
    private(set) var undoPath: String?
    private(set) var undoID: String?

    /// Where it is changed.
    private(set) var linkPath: String?
    private(set) var linkText: String?

    /// The violation whose notice may be handed over now.
    private(set) var noticeID: String?
    private(set) var hasNotice = false

    /// The texts without a name that an action's page may show.
    private static let plain: Set<String> = [
        "later", "corrected", "withdrawn", "retried", "sync", "no_sync", "sms", "no_sms", "restored", "seen", "listed",
        "unlisted", "changed",
        "printing", "mask", "mask_back",
        "taken_back", "again", "peer_paired", "peer_revoked",
    ]

    /// From the query that an action sent the browser to, `said` and `of`: only names are in it, and what they name is looked up.
    ///
    /// - Returns: nil for a page that nobody was sent to, and for names that nothing has.
    init?(_ request: Request, _ console: Console, _ texts: Texts) {
        guard let said = request.formQuery.get("said") else { return nil }
        let id = request.formQuery.get("of") ?? ""
        if Self.plain.contains(said) {
            text = texts["said_" + said]
            return
        }
        do {
            guard let found = try Self.look(said, id, console, texts) else { return nil }
            self = found
        } catch {
            // The page is shown without it: what was done is done.
            console.log.warning("what was done can't be looked up", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private init(_ text: String) {
        self.text = text
    }

    private static func look(_ said: String, _ id: String, _ console: Console, _ texts: Texts) throws -> SaidView? {
        switch said {
        case "recorded", "already", "discarded":
            guard let stored = try console.store.sightings.sighting(id: id), stored.state != .review else { return nil }
            let passage = try stored.passageClientID.flatMap {
                try console.store.passages.passage(clientID: $0)?.passage
            }
            let plate = (passage?.plate ?? stored.sighting.reading.plate).canonical
            var view = SaidView(texts("said_" + said, ["plate": plate.isEmpty ? texts["vehicle"] : plate]))
            view.undoPath = said == "discarded" ? "/do/reviews/restore" : "/do/reviews/undo"
            view.undoID = id
            return view
        case "faster":
            return try faster(id, console, texts)
        case "outcome":
            guard let stored = try UUID(uuidString: id).flatMap({ try console.store.violations.violation(id: $0) }),
                let outcome = stored.outcome
            else { return nil }
            let what = [texts["outcome_" + outcome.kind.rawValue], texts.fine(outcome)].filter { !$0.isEmpty }
            var view = SaidView(
                texts("said_outcome", ["plate": stored.violation.plate.canonical, "what": what.joined(separator: " ")]))
            view.linkPath = "/outcome?violation=" + stored.id.uuidString.lowercased()
            view.linkText = texts["change_outcome"]
            view.noticeID = stored.id.uuidString.lowercased()
            view.hasNotice = true
            return view
        case "dismissed":
            let all = try console.store.alerts.list(onlyOpen: false, limit: 200)
            return all.first { "\($0.id)" == id }.map {
                SaidView(texts("said_dismissed", ["plate": $0.alert.plate.canonical]))
            }
        case "judged":
            guard let match = try Int64(id).flatMap({ try console.store.matches.anyPossibleMatch(id: $0) }),
                match.state == .withdrawn
            else { return nil }
            var view = SaidView(
                texts(
                    "said_judged",
                    ["one": match.match.entry.plate.canonical, "other": match.match.exit.plate.canonical]))
            view.undoPath = "/do/matches/restore"
            view.undoID = id
            return view
        default: return nil
        }
    }

    /// Somebody else decided the vehicle: who, and as what. One that was recorded otherwise than meant is corrected on its page.
    private static func faster(_ id: String, _ console: Console, _ texts: Texts) throws -> SaidView? {
        guard let stored = try console.store.sightings.sighting(id: id), stored.state != .review else { return nil }
        let passage = try stored.passageClientID.flatMap { try console.store.passages.passage(clientID: $0)?.passage }
        let name = stored.decidedBy ?? texts["camera"]
        guard let passage else {
            var view = SaidView(texts("said_faster_discarded", ["name": name]))
            (view.undoPath, view.undoID) = ("/do/reviews/restore", id)
            return view
        }
        var view = SaidView(texts("said_faster", ["name": name, "plate": passage.plate.canonical]))
        view.linkPath = "/passage?id=" + passage.clientID.uuidString.lowercased()
        view.linkText = texts["wanted_open"]
        return view
    }
}
