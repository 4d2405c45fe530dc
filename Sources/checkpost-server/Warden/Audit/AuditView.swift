import Enforcement
import Foundation
import Pages

/// A change as a page shows it.
struct AuditView: Sendable {
    let time: String
    let what: String
    let name: String
    let isPlate: Bool
    let path: String?
    /// `Type: Car → Bus`
    let changes: [String]
    let by: String
    let reason: String?

    /// - Parameter posts: the codes of posts by their ids.
    init(_ row: AuditRow, posts: [String: String], _ texts: Texts) {
        time = texts.moment(row.at.instant)
        what = texts["audit_\(row.subject.rawValue)"] + ": " + texts["audit_\(row.subject.rawValue)_\(row.kind)"]
        let isPlate = ![.account, .signIn, .road, .setting, .removal].contains(row.subject)
        self.isPlate = isPlate
        name = row.name.map { isPlate ? StoredPlate.text($0) : $0 } ?? ""
        path = row.passage.map { "/warden/passage?id=" + $0 }
        by = row.by ?? texts[row.subject == .signIn ? "nobody" : "a_program"]
        reason = row.reason
        changes = Self.differences(row, posts: posts, texts)
    }

    private static func differences(_ row: AuditRow, posts: [String: String], _ texts: Texts) -> [String] {
        let order: [String] =
            switch row.subject {
            case .passage: AuditRow.passageFields
            case .pair: AuditRow.pairFields
            case .outcome, .violation: AuditRow.outcomeFields
            case .account: AuditRow.accountFields
            case .list: AuditRow.listFields
            case .road: AuditRow.roadFields
            case .setting: AuditRow.settingFields
            case .signIn, .removal, .approval: []
            }
        return order.compactMap { field in
            let (before, after) = (row.old?[field] ?? nil, row.new?[field] ?? nil)
            guard before != after else { return nil }
            let words = [before, after].map { $0.map { said(field, $0, posts, texts) } ?? "–" }
            return texts["field_" + field] + ": " + (row.old == nil ? words[1] : words.joined(separator: " → "))
        }
    }

    /// The value of a field as people say it.
    private static func said(_ field: String, _ value: String, _ posts: [String: String], _ texts: Texts) -> String {
        switch field {
        case "plate_number", "exit_plate": StoredPlate.text(value)
        case "vehicle_type": texts["type_" + value]
        case "clock_state": texts["clock_" + value]
        case "travel": texts["travel_" + value]
        case "outcome_type": texts["outcome_" + value]
        case "list": texts["list_" + value]
        case "role": texts["role_" + value]
        case "type_speeds_kmh": (try? TypeSpeeds(json: value)).map { RoadNumbers.said($0, texts) } ?? value
        case "hour_limits": (try? HourLimits(json: value)).map { $0.isEmpty ? "–" : texts.said($0) } ?? value
        case "is_active": texts[value == "true" ? "yes" : "no"]
        case "assigned_checkpost_id": posts[value] ?? value
        case "recorded_at", "effective_at":
            Instant(iso8601: value).map(texts.moment) ?? value
        default: value
        }
    }
}
