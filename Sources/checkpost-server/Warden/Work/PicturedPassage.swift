import Enforcement
import Foundation
import Pages

/// A passage with the picture that a warden judges it by.
struct PicturedPassage: Decodable, Sendable {
    var passage: PassageRow
    var photo: PassageDetail.Photo?

    /// Those of these ids that the account sees, by id.
    static func found(_ connection: PostgresConnection, _ ids: [String]) throws -> [String: PicturedPassage] {
        let rows = try connection.list(
            PicturedPassage.self,
            """
            select to_json(l) as passage, \(PassageDetail.photo("l.id")) as photo from (
                select \(PassageRow.columns) from vehicle_passages p join checkposts c on c.id = p.checkpost_id
                where p.id = any ($1::uuid[])) l
            """, ["{" + ids.joined(separator: ",") + "}"])
        return Dictionary(rows.map { ($0.passage.id, $0) }) { first, _ in first }
    }

    /// As the template `picture` takes it.
    func picture(_ texts: Texts, now: Instant) -> [String: Any] {
        let view = PassageView(passage, texts, now: now)
        let place = passage.post + " · " + view.plate + " · " + view.time
        let none: [String: Any] = ["passage": passage.id, "label": place, "text": texts["no_photo"]]
        return none.merging(photo?.model(of: passage.id, place, texts) ?? [:]) { $1 }
    }
}

/// Two passages that may be one vehicle's trip, with the buttons that say so.
struct PairView {
    let entry: PicturedPassage
    let exit: PicturedPassage

    /// - Parameter isOpen: whether somebody may judge it here.
    func model(_ texts: Texts, now: Instant) -> [String: Any] {
        let views = [entry, exit].map { PassageView($0.passage, texts, now: now) }
        // One button for each plate that was read in full: it is the right one.
        let plates = [entry, exit].map { $0.passage.plate.filter { !$0.isWhitespace }.uppercased() }
        let whole = plates.enumerated().filter { !$1.contains("?") && plates.firstIndex(of: $1) == $0 }.map(\.element)
        return [
            "entry": views[0], "exit": views[1], "one": entry.passage.id, "other": exit.passage.id,
            "pictures": [entry.picture(texts, now: now), exit.picture(texts, now: now)],
            "verdicts": whole.map { plate in
                [
                    "change": Self.newID, "plate": plate,
                    "text": texts("one_vehicle", ["plate": StoredPlate.text(plate)]),
                ]
            },
            "change": Self.newID,
        ]
    }

    /// One word, however often its button is pressed.
    static var newID: String { UUID().uuidString.lowercased() }
}
