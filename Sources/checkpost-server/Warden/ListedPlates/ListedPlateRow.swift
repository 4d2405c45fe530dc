import Enforcement
import Pages

/// A plate that is on a list of the office now.
struct ListedPlateRow: Decodable, Sendable {
    var id: String
    var kind: String
    var plate: String
    var reason: String
    /// The road; nil for all of them.
    var segment: String?
    var by: String?
    var at: Micros
    var seenAt: Micros?
    var seenBy: String?

    /// Those that hold, the newest first: at most 500 of each kind, as the server's own bound is.
    static func holding(_ connection: PostgresConnection) throws -> [ListedPlateRow] {
        try connection.list(
            ListedPlateRow.self,
            """
            select l.id, l.kind, l.plate_number as plate, l.reason, s.name as segment, u.full_name as by,
                \(Micros.of("l.listed_at")) as at, \(Micros.of("p.recorded_at")) as seen_at, c.code as seen_by
            from listed_plates l left join highway_segments s on s.id = l.segment_id left join user_profiles u on u.id = l.listed_by
                left join lateral (select p.recorded_at, p.checkpost_id from vehicle_passages p
                    where checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(l.plate_number)
                        and (l.segment_id is null or p.segment_id = l.segment_id)
                    order by p.recorded_at desc limit 1) p on true
                left join checkposts c on c.id = p.checkpost_id
            where l.ended_at is null order by l.listed_at desc, l.id limit 1000
            """)
    }

    func view(_ visit: WardenVisit) -> [String: String] {
        let texts = visit.texts
        let plate = StoredPlate.plate(plate)
        return [
            "id": id, "plate": plate.canonical, "script": PlateSpelling.shown(plate) ?? "", "reason": reason,
            "segment": segment ?? texts["all_roads"],
            "by": (by ?? texts["a_program"]) + ", " + texts.short(at.instant, now: visit.now),
            "seen": seenAt.map {
                "\(texts["last_passage"]): \(seenBy ?? ""), \(texts.short($0.instant, now: visit.now))"
            }
                ?? texts["never_passed"],
        ]
    }
}
