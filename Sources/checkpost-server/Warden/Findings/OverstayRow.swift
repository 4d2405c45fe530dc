import Enforcement
import Foundation
import Pages

/// A vehicle that has not come out, or had not for long.
struct OverstayRow: Decodable, Sendable {
    var id: String
    var plate: String
    var type: String
    var passage: String
    var clientId: String
    var post: String
    var entry: Micros
    var outBy: Micros
    var resolved: Bool
    var resolvedAt: Micros?
    var resolvedBy: String?
    var resolvedReason: String?
    var doubts: [Doubt]

    struct Doubt: Decodable, Sendable {
        var kind: String
        var checkpost: String?
        var at: Micros?
        var from: Micros?
        var plate: String?
    }

    static let columns = """
        a.id, a.plate_number as plate, a.vehicle_type as type, a.entry_passage_id as passage, p.client_id, c.code as post,
        \(Micros.of("a.entry_time")) as entry, \(Micros.of("a.expected_exit_by")) as out_by, a.resolved,
        \(Micros.of("a.resolved_at")) as resolved_at, a.resolved_by, a.resolved_reason,
        (select coalesce(json_agg(json_build_object('kind', d ->> 'kind', 'checkpost', d ->> 'checkpost',
            'at', \(Micros.of("checkpost.time_or_null(d ->> 'at')")),
            'from', \(Micros.of("checkpost.time_or_null(d ->> 'from')")), 'plate', d ->> 'plate')), '[]')
            from jsonb_array_elements(a.doubts) d) as doubts
        """
}

/// An overstay as a page shows it.
struct OverstayView: Sendable {
    let id: String
    let clientID: String
    let plate: String
    let script: String?
    let typeText: String
    let path: String
    let entryText: String
    let outText: String
    let stateText: String
    let isOpen: Bool
    let kind: String

    init(_ row: OverstayRow, _ texts: Texts, now: Instant) {
        let known = StoredPlate.plate(row.plate)
        id = row.id
        clientID = row.clientId
        plate = known.canonical
        script = PlateSpelling.shown(known)
        typeText = texts["type_" + row.type]
        path = "/warden/passage?id=" + row.passage
        entryText = row.post + " " + texts.short(row.entry.instant, now: now)
        outText = texts["should_be_out"] + " " + texts.short(row.outBy.instant, now: now)
        isOpen = !row.resolved
        kind = row.resolved ? "" : "overstay"
        stateText = row.resolved ? Self.answered(row, texts, now: now) : Self.open(row, texts, now: now)
    }

    private static func open(_ row: OverstayRow, _ texts: Texts, now: Instant) -> String {
        guard !row.doubts.isEmpty else { return texts["certain"] }
        let doubts = row.doubts.map { doubt in
            guard let at = doubt.at else { return texts["doubt_unknown"] }
            return switch doubt.kind {
            case "looks_alike":
                texts.doubt(.looksAlike(StoredPlate.plate(doubt.plate ?? "?"), at: at.instant), now: now)
            case "told_by_text": texts.doubt(.toldByText(at: at.instant), now: now)
            case "unwatched":
                texts.doubt(.unwatched(from: (doubt.from ?? at).instant, until: at.instant), now: now)
            default: texts.doubt(.waitsForReview(at: at.instant), now: now)
            }
        }
        return texts["doubtful"] + ": " + doubts.joined(separator: "; ")
    }

    private static func answered(_ row: OverstayRow, _ texts: Texts, now: Instant) -> String {
        // Nobody answered for one that came out after all.
        [
            row.resolvedBy == nil && row.resolvedReason == nil ? texts["came_out"] : row.resolvedReason,
            row.resolvedBy, row.resolvedAt.map { texts.short($0.instant, now: now) },
        ].compactMap(\.self).joined(separator: " · ")
    }
}
