import Enforcement
import Foundation
import Hummingbird
import Pages
import Storage

extension PageRoutes {
    func overstays(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try context.user()
        return try await overstayList(request, context)
    }

    /// - Parameter refused: the dismissal that was refused: its form is shown with what was typed.
    func overstayList(
        _ request: Request, _ context: ConsoleContext, refused: Refused? = nil
    ) async throws -> Response {
        let texts = context.texts
        let alerts = try console.openOverstays().map(console.alert)
        let overstays = console.alertViews(alerts, texts).map { view -> [String: Any] in
            var model: [String: Any] = ["alert": view]
            if let refused, refused.fields["id"] == view.overstayID.map({ "\($0)" }) {
                model["reason"] = refused.fields["reason"]
                model["problem"] = refused.said(texts)
            }
            return model
        }
        let known = try console.store.otherPost.known().knownUpTo.map {
            texts("post_known", ["post": console.otherPost, "time": texts.short($0, now: console.now)])
        }
        let possible = try console.store.matches.possible(limit: 50).map { PossibleMatchView($0, console, texts) }
        var model: [String: Any] = [
            "overstays": overstays, "overstayCount": texts.digits("\(overstays.count)"), "possible": possible,
            "known": known ?? texts("post_unknown", ["post": console.otherPost]),
            "possibleCount": texts.digits("\(possible.count)"), "hasPossible": !possible.isEmpty,
        ]
        if let id = refused?.fields["id"].flatMap(Int64.init) { model["place"] = "/overstays#overstay-\(id)" }
        return try await show(
            "overstays", request, context, model, at: "overstays", status: refused?.error.status ?? .ok)
    }
}

/// Two plates that look alike, with both pictures, for a ranger to judge.
struct PossibleMatchView: Encodable, Sendable {
    let id: String
    let passageID: String
    let ownPlate: String
    let ownScript: String?
    let ownTime: String
    let otherPlate: String
    let otherScript: String?
    let otherPost: String
    let otherTime: String
    let oneText: String

    /// This post's first.
    let pictures: [PictureView]

    init(_ stored: StoredMatch, _ console: Console, _ texts: Texts) {
        let isOwnEntry = stored.match.entry.checkpostCode == console.post.code
        let own = isOwnEntry ? stored.match.entry : stored.match.exit
        let other = isOwnEntry ? stored.match.exit : stored.match.entry
        id = "\(stored.id)"
        passageID = own.clientID.uuidString.lowercased()
        ownPlate = own.plate.canonical
        ownScript = PlateSpelling.shown(own.plate)
        ownTime = texts.short(own.recordedAt, now: console.now)
        otherPlate = other.plate.canonical
        otherScript = PlateSpelling.shown(other.plate)
        otherPost = other.checkpostCode
        otherTime = texts.short(other.recordedAt, now: console.now)
        oneText = texts("one_vehicle", ["plate": other.plate.canonical])
        pictures = [own, other].map { side in
            console.picture(of: side.clientID, label: side.checkpostCode + " " + side.plate.canonical, texts)
        }
    }
}
