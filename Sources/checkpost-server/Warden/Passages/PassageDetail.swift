import Enforcement
import Foundation
import Pages
import ParkAPI

/// One passage with all that is known of it.
struct PassageDetail: Decodable, Sendable {
    var typeValue: String
    var confidence: Double?
    var clockState: String?
    var travel: String?
    var actedBy: String?
    var received: Micros
    var photo: Photo?
    /// A photo was stored once, whether or not it still is.
    var hadPhoto: Bool
    var counterpart: Counterpart?
    var violation: ViolationRow?
    /// The number of the newest change of its outcome; 0 where there was none.
    var outcomeChange: Int64?
    var changes: [Change]

    struct Counterpart: Decodable, Sendable {
        var id: String
        var post: String
        var at: Micros
        var photo: Photo?
    }

    struct Photo: Decodable, Sendable {
        var name: String

        /// Its bytes are not those that the passage was recorded with: the post sent it smaller, and has the original.
        var isCopy: Bool

        /// Where the plate stands in it, as the post said it.
        var plate: String?

        /// As the template `picture` takes it.
        ///
        /// - Parameters:
        ///   - passage: the passage's id.
        ///   - label: what stands under it, beside what it is.
        func model(of passage: String, _ label: String, _ texts: Texts) -> [String: Any] {
            let path = "/warden/photos/" + name
            var model: [String: Any] = ["passage": passage, "path": path, "label": caption(label, texts)]
            model["small"] = path + "?as=small"
            // Only where the post said where it stands: without that a cut is the whole picture.
            if let plate, PlatePlace(sent: plate) != nil { model["plateCut"] = path + "?as=plate" }
            return model
        }

        /// As it stands under the picture with this label.
        private func caption(_ label: String, _ texts: Texts) -> String {
            isCopy ? "\(label) · \(texts["photo_copy"])" : label
        }
    }

    struct Change: Decodable, Sendable {
        var kind: String
        var old: String
        var new: String?
        var reason: String
        var by: String?
        var at: Micros
    }

    /// SQL for the picture of the passage with the id in `column`; a copy on another road has the one of its passage.
    static func photo(_ column: String) -> String {
        """
        (select json_build_object('name', o.name, 'is_copy', o.metadata ? 'copyOf', 'plate', o.metadata ->> 'plate')
            from storage.objects o where o.bucket_id = 'passage-photos'
                and o.name in (select coalesce(w.copy_of, w.id) || ending
                    from vehicle_passages w, unnest(array['.jpg', '.jpeg', '.png']) ending where w.id = \(column))
            order by o.created_at, o.name limit 1)
        """
    }

    /// What every change calls a passage by; also one that was withdrawn since, so that a button that is pressed twice says the same.
    static func clientID(of id: String, _ connection: PostgresConnection) throws -> String? {
        try connection.run(
            """
            select coalesce((select p.client_id from vehicle_passages p where p.id = $1::uuid),
                (select h.client_id from passage_changes h where h.passage_id = $1::uuid order by h.created_at desc limit 1))
            """, [id]
        ).scalar
    }

    static func of(_ id: String, _ connection: PostgresConnection) throws -> PassageDetail? {
        try connection.list(
            PassageDetail.self,
            """
            select p.vehicle_type as type_value, p.confidence, p.clock_state, p.travel, p.acted_by,
                \(Micros.of("p.server_received_at")) as received, \(photo("p.id")) as photo, p.photo_path is not null as had_photo,
                (select json_build_object('id', q.id, 'post', d.code, 'at', \(Micros.of("q.recorded_at")), 'photo', \(photo("q.id")))
                    from vehicle_passages q join checkposts d on d.id = q.checkpost_id where q.id = p.matched_passage_id) as counterpart,
                (select to_json(w) from (select \(ViolationRow.columns) from violations v \(ViolationRow.joins)
                    where v.entry_passage_id = p.id or v.exit_passage_id = p.id) w) as violation,
                (select max(c.id) from violations v join outcome_changes c on c.violation_id = v.id
                    where v.entry_passage_id = p.id or v.exit_passage_id = p.id) as outcome_change,
                (select coalesce(json_agg(json_build_object('kind', h.kind, 'old', h.old_plate_number, 'new', h.new_plate_number,
                        'reason', h.reason, 'by', h.acted_by, 'at', \(Micros.of("h.changed_at"))) order by h.created_at), '[]')
                    from passage_changes h where h.client_id = p.client_id) as changes
            from vehicle_passages p where p.id = $1::uuid
            """, [id]
        ).first
    }
}
