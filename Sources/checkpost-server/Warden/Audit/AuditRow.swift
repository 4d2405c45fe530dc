import Enforcement
import Foundation
import Pages
import ParkAPI

/// One change that somebody made, of whatever: a passage, an outcome, a violation that fell away, an account.
struct AuditRow: Decodable, Sendable {
    enum Subject: String, Decodable, CaseIterable, Sendable {
        case passage, pair, outcome, approval, violation, account, list, road, setting
        case signIn = "sign_in"
        case removal

        /// Shown to those alone who read all.
        var isForReadersOfAll: Bool { [.account, .signIn, .removal, .setting].contains(self) }
    }

    var key: String
    var subject: Subject
    var kind: String
    var at: Micros
    /// The plate, or the e-mail address of the account.
    var name: String?
    /// The passage, where it still is on record.
    var passage: String?
    /// Who did it, as the post said or as the account is called. Nil for a program.
    var by: String?
    var reason: String?
    /// Fields that were one thing and became another.
    var old: [String: String?]?
    var new: [String: String?]?

    private static let names: [Subject: String] = [
        .passage: """
        select 'passage:' || c.id as key, 'passage' as subject, c.kind, c.created_at, c.old_plate_number as name, c.passage_id as passage,
            coalesce(c.acted_by, u.full_name) as by, c.reason, \(fields("c.old_passage", passageFields)) as old,
            \(fields("c.new_passage", passageFields)) as new, c.segment_id
        from passage_changes c left join user_profiles u on u.id = c.changed_by
        """,
        .outcome: """
        select 'outcome:' || c.id as key, 'outcome' as subject, c.kind, c.created_at,
            coalesce(v.plate_number, w.violation ->> 'plate_number') as name, v.exit_passage_id as passage,
            coalesce(c.acted_by, u.full_name) as by, c.reason, \(fields("c.old_outcome", outcomeFields)) as old,
            \(fields("c.new_outcome", outcomeFields)) as new, c.segment_id
        from outcome_changes c left join violations v on v.id = c.violation_id
            left join withdrawn_violations w on w.id = c.violation_id left join user_profiles u on u.id = c.changed_by
        """,
        .pair: """
        select 'pair:' || c.id as key, 'pair' as subject, c.kind, c.created_at, c.entry_plate as name, e.id as passage,
            coalesce(c.acted_by, u.full_name) as by, c.reason, null::json as old, json_build_object('exit_plate', c.exit_plate) as new,
            c.segment_id
        from pair_changes c left join vehicle_passages e on e.id = c.entry_passage_id left join user_profiles u on u.id = c.changed_by
        """,
        .approval: """
        select 'approval:' || c.id as key, 'approval' as subject,
            case when c.passage_change_id is null then 'outcome' else 'passage' end as kind, c.created_at,
            coalesce(p.new_plate_number, p.old_plate_number, v.plate_number, w.violation ->> 'plate_number') as name,
            coalesce(p.passage_id, v.exit_passage_id) as passage,
            coalesce(c.acted_by, u.full_name) as by, null as reason, null::json as old, null::json as new, c.segment_id
        from change_approvals c left join passage_changes p on p.id = c.passage_change_id
            left join outcome_changes o on o.id = c.outcome_change_id left join violations v on v.id = o.violation_id
            left join withdrawn_violations w on w.id = o.violation_id left join user_profiles u on u.id = c.changed_by
        """,
        .violation: """
        select 'violation:' || c.id as key, 'violation' as subject, c.violation ->> 'violation_type' as kind, c.withdrawn_at as created_at,
            c.violation ->> 'plate_number' as name, null::uuid as passage, u.full_name as by, c.reason,
            \(fields("c.outcome", outcomeFields)) as old, null::json as new, c.segment_id
        from withdrawn_violations c left join user_profiles u on u.id = c.withdrawn_by
        """,
        .account: """
        select 'account:' || c.id as key, 'account' as subject, c.kind, c.created_at, c.email as name, null::uuid as passage,
            u.full_name as by, null as reason, \(fields("c.old_profile", accountFields)) as old,
            \(fields("c.new_profile", accountFields)) as new, null::uuid as segment_id
        from account_changes c left join user_profiles u on u.id = c.changed_by
        """,
        .list: """
        select 'list:' || c.id || '-' || e.part as key, 'list' as subject, e.kind, e.at as created_at,
            checkpost.compact_plate(c.plate_number) as name,
            null::uuid as passage, u.full_name as by, c.reason,
            null::json as old, json_build_object('list', c.kind, 'road', s.name) as new, c.segment_id
        from listed_plates c cross join lateral (values ('b', 'listed', c.listed_at, c.listed_by), ('e', 'ended', c.ended_at, c.ended_by))
                e (part, kind, at, by)
            left join highway_segments s on s.id = c.segment_id left join user_profiles u on u.id = e.by
        where e.at is not null
        """,
        .road: """
        select 'road:' || c.id as key, 'road' as subject, c.kind, c.created_at, c.name, null::uuid as passage, u.full_name as by, c.reason,
            \(fields("c.old_road", roadFields)) as old, \(fields("c.new_road", roadFields)) as new, c.segment_id
        from road_changes c left join user_profiles u on u.id = c.changed_by
        """,
        .setting: """
        select 'setting:' || c.id as key, 'setting' as subject, 'changed' as kind, c.created_at, c.code as name, null::uuid as passage,
            u.full_name as by, c.reason, \(fields("c.old_settings", settingFields)) as old,
            \(fields("c.new_settings", settingFields)) as new, null::uuid as segment_id
        from setting_changes c left join user_profiles u on u.id = c.changed_by
        """,
        .signIn: """
        select 'sign_in:' || c.id as key, 'sign_in' as subject, c.result as kind, c.created_at, c.email as name, null::uuid as passage,
            u.full_name as by, null as reason, null::json as old, null::json as new, null::uuid as segment_id
        from sign_ins c left join user_profiles u on u.id = c.account_id
        """,
        .removal: """
        select 'removal:' || c.id as key, 'removal' as subject, c.kind, c.created_at, c.count::text as name, null::uuid as passage,
            null as by, null as reason, null::json as old, null::json as new, null::uuid as segment_id
        from removals c
        """,
    ]

    static let roadFields =
        RoadNumbers.fields + [
            "type_speeds_kmh", "hour_limits", "distance_certificate", "name", "is_active", "effective_at",
        ]
    /// The settings, and the numbers of the keys in force.
    static let settingFields = PostSetting.all.map(\.name) + ["sms.keys"]
    static let listFields = ["list", "road"]
    static let passageFields = ["plate_number", "vehicle_type", "recorded_at", "clock_state", "travel"]
    static let pairFields = ["exit_plate"]
    static let outcomeFields = ["outcome_type", "fine_amount", "notes"]
    static let accountFields = ["full_name", "role", "is_active", "phone_number", "assigned_checkpost_id"]

    private static func fields(_ column: String, _ names: [String]) -> String {
        let pairs = names.map { "'\($0)', \(column) ->> '\($0)'" }.joined(separator: ", ")
        return "case when \(column) is not null then json_build_object(\(pairs)) end"
    }

    static func isKey(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && Subject(rawValue: String(parts[0])) != nil && !parts[1].isEmpty
            && parts[1].utf8.count <= 40 && parts[1].allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// What rangers changed in these days that nobody looked at again, the newest first, each with what was there before all of it.
    static func unchecked(_ connection: PostgresConnection, since: Instant, limit: Int) throws -> [AuditRow] {
        // Inside each source, so that its index serves it.
        func rows(_ key: String, _ at: String) -> String {
            [Subject.passage, .outcome].compactMap { names[$0] }.map {
                "select * from (\($0)) s where s.key = \(key) and s.created_at = \(at)"
            }.joined(separator: " union all ")
        }
        return try connection.list(
            AuditRow.self,
            """
            select l.key, l.subject, l.kind, \(Micros.of("l.created_at")) as at, f.name, l.passage, l.by, l.reason, f.old, l.new
            from (select * from checkpost.unchecked_changes($1::timestamptz) order by at desc, key desc limit \(limit)) c
                cross join lateral (\(rows("c.key", "c.at"))) l cross join lateral (\(rows("c.first", "c.first_at"))) f
            order by c.at desc, c.key desc
            """, [since.iso8601])
    }

    /// The newest changes first. Each source is asked for one page of its own, so that its index serves it.
    static func found(
        _ connection: PostgresConnection, subject: Subject?, word: String?, days: DaySpan, before: PageMark?, limit: Int
    ) throws -> [AuditRow] {
        var statement = SQLStatement()
        let wanted = subject.map { [$0] } ?? Subject.allCases
        let sources = wanted.compactMap { names[$0] }.map { source in
            var conditions: [String] = []
            if let from = days.from { conditions.append("s.created_at >= \(Micros(from).bound(&statement))") }
            if let until = days.until { conditions.append("s.created_at < \(Micros(until).bound(&statement))") }
            if let before {
                conditions.append(
                    "(s.created_at, s.key) < (\(before.time.bound(&statement)), \(statement.bind(before.id, as: "text")))"
                )
            }
            if let word {
                // Whatever is shown is searched; a plate is found with or without its spaces.
                let text = statement.bind(word, as: "text")
                conditions.append(
                    """
                    (position(lower(\(text)) in lower(concat_ws(' ', s.name, s.by, s.reason, s.old::text, s.new::text))) > 0
                        or position(checkpost.compact_plate(\(text)) in upper(s.name)) > 0)
                    """)
            }
            let condition = conditions.isEmpty ? "" : "where " + conditions.joined(separator: " and ")
            return "(select * from (\(source)) s \(condition) order by s.created_at desc, s.key desc limit \(limit))"
        }
        return try connection.list(
            AuditRow.self,
            """
            select l.key, l.subject, l.kind, \(Micros.of("l.created_at")) as at, l.name, l.passage, l.by, l.reason, l.old, l.new
            from (\(sources.joined(separator: " union all "))) l order by l.created_at desc, l.key desc limit \(limit)
            """, statement.parameters)
    }
}
