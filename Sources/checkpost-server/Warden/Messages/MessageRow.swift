import Enforcement
import Foundation
import Pages
import ParkAPI

/// A text that came, with what became of it.
struct MessageRow: Decodable, Sendable {
    enum Result: String, Decodable, CaseIterable, Sendable {
        case inserted, repeated, refused, answered
    }

    var id: String
    var at: Micros
    var sender: String?
    var body: String
    var result: Result
    var reason: String?
    var passage: String?

    static func found(
        _ connection: PostgresConnection, result: Result?, word: String, days: DaySpan, before: PageMark?, limit: Int
    ) throws -> [MessageRow] {
        var search = ListSearch(table: "sms_messages", time: "received_at")
        if let result { search.add { "l.result = \($0.bind(result.rawValue, as: "text"))" } }
        if !word.isEmpty {
            // Of a plate what was typed is found with and without its spaces, in either script.
            let part = PlatePart.typed(word) ?? word
            search.add { statement in
                let (text, plate) = (statement.bind(word, as: "text"), statement.bind(part, as: "text"))
                return """
                    (position(lower(\(text)) in lower(concat_ws(' ', l.sender, l.body, l.reason))) > 0
                        or position(\(plate) in upper(l.body)) > 0)
                    """
            }
        }
        if let from = days.from { search.add { "l.received_at >= \(Micros(from).bound(&$0))" } }
        if let until = days.until { search.add { "l.received_at < \(Micros(until).bound(&$0))" } }
        if let before {
            search.add { "(l.received_at, l.id) < (\(before.time.bound(&$0)), \($0.bind(before.id, as: "uuid")))" }
        }
        let (list, parameters) = search.sql(limit: limit)
        return try connection.list(
            MessageRow.self,
            """
            select m.id, \(Micros.of("m.received_at")) as at, m.sender, m.body, m.result, m.reason, p.id as passage
            from (\(list)) m left join vehicle_passages p on p.id = m.passage_id order by m.received_at desc, m.id desc
            """, parameters)
    }
}

/// A text as the page shows it.
struct MessageView: Sendable {
    let time: String
    let sender: String
    let body: String
    let result: String
    let state: String
    let reason: String?
    let path: String?
    /// The passages that it tells of, where it is one of a post's. Whether it is believed stands in the result.
    let passages: [Told]

    struct Told: Sendable {
        let plate: String
        let said: String
    }

    init(_ row: MessageRow, _ texts: Texts, now: Instant) {
        time = texts.moment(row.at.instant)
        sender = row.sender ?? texts["unknown"]
        body = row.body
        state = row.result.rawValue
        result = texts["text_" + row.result.rawValue]
        reason = row.reason
        path = row.passage.map { "/warden/passage?id=" + $0 }
        passages = ((try? SMSDecoder.passages(in: row.body)) ?? []).map {
            Told(
                plate: StoredPlate.text($0.compactPlate),
                said: $0.checkpostCode + " " + texts.short($0.recordedAt, now: now) + " · "
                    + texts["type_" + $0.vehicleType.rawValue])
        }
    }
}
