import Enforcement
import Foundation
import Pages

/// A passage as lists show it.
struct PassageRow: Decodable, Sendable {
    var id: String
    var plate: String
    var raw: String
    var type: String
    var at: Micros
    var post: String
    var source: String
    var isMatched: Bool
    /// Speeding or overstay, where it is evidence of one.
    var violation: String?

    static let columns = """
        p.id, p.plate_number as plate, coalesce(p.plate_number_raw, '') as raw, p.vehicle_type as type, \(Micros.of("p.recorded_at")) as at,
        c.code as post, p.source, p.matched_passage_id is not null as is_matched,
        (select v.violation_type from violations v where v.entry_passage_id = p.id or v.exit_passage_id = p.id) as violation
        """

    /// The passages of a search, the newest first.
    static func found(_ connection: PostgresConnection, _ search: PassageSearch, limit: Int) throws -> [PassageRow] {
        try connection.list(
            PassageRow.self,
            """
            select \(columns) from vehicle_passages p join checkposts c on c.id = p.checkpost_id
            where p.id = any (array(select checkpost.find_passages($1::jsonb)))
            order by p.recorded_at desc, p.id desc
            """, [try search.json(limit: limit)])
    }

    static func newest(_ connection: PostgresConnection, limit: Int) throws -> [PassageRow] {
        try found(connection, PassageSearch(), limit: limit)
    }
}

/// A passage as a page shows it.
struct PassageView: Sendable {
    let id: String
    let plate: String
    let script: String?
    let typeText: String
    let time: String
    let post: String
    let sourceText: String?
    let kind: String
    let stateText: String

    init(_ row: PassageRow, _ texts: Texts, now: Instant) {
        id = row.id
        let known = StoredPlate.plate(row.plate)
        plate = known.canonical
        script = PlateSpelling.shown(known, raw: row.raw)
        typeText = texts["type_" + row.type]
        time = [texts.otherDay(row.at.instant, now: now), texts.clock(row.at.instant)].compactMap(\.self)
            .joined(separator: " ")
        post = row.post
        sourceText = row.source == "sms" ? texts["source_sms"] : nil
        kind = row.violation ?? ""
        stateText = row.violation.map { texts["kind_" + $0] } ?? texts[row.isMatched ? "matched" : "unmatched"]
    }
}
