import Enforcement
import Foundation
import Pages

/// What was said of two passages, and whether it can be taken back.
struct PairChangeRow: Decodable, Sendable {
    var id: String
    var kind: String
    var entryPassage: String?
    var entryPlate: String
    var exitPlate: String
    var by: String?
    var reason: String
    var at: Micros
    var canBeUndone: Bool

    static func newest(_ connection: PostgresConnection, limit: Int) throws -> [PairChangeRow] {
        try connection.list(
            PairChangeRow.self,
            """
            select c.id, c.kind, e.id as entry_passage, c.entry_plate, c.exit_plate, coalesce(c.acted_by, u.full_name) as by, c.reason,
                \(Micros.of("c.created_at")) as at, e.id is not null and x.id is not null and not exists (
                    select from pair_changes d where d.undoes = c.id)
                    and (c.kind = 'parted' or c.kind = 'joined' and c.passage_change_id is not null) as can_be_undone
            from pair_changes c left join user_profiles u on u.id = c.changed_by
                left join vehicle_passages e on e.id = c.entry_passage_id left join vehicle_passages x on x.id = c.exit_passage_id
            order by c.created_at desc, c.id desc limit \(limit)
            """)
    }

    func model(_ texts: Texts, now: Instant) -> [String: Any] {
        var model: [String: Any] = [
            "id": id, "change": PairView.newID, "entryPlate": StoredPlate.text(entryPlate),
            "exitPlate": StoredPlate.text(exitPlate), "what": texts["audit_pair_" + kind],
            "about": [texts.short(at.instant, now: now), by ?? texts["a_program"], reason].joined(separator: " · "),
            "canBeUndone": canBeUndone,
        ]
        model["path"] = entryPassage.map { "/warden/passage?id=" + $0 }
        return model
    }
}
