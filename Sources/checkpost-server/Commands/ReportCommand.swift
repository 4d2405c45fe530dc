import ArgumentParser
import Enforcement
import Foundation

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Lists violations and open overstay alerts with their passages, and how the posts do.",
        discussion: """
            Read-only. Times are those of a clock in Nepal. Without --days: the last 30 days by the time of the exit or the entry, \
            and changes by when they came to the server.
            """)

    @OptionGroup var option: ConfigurationOption

    @Option(help: "Violations and alerts of so many days; 0 for all.")
    var days = 30

    @Option(help: "Only the segment with this checkpost.")
    var checkpost: String?

    @Option(help: "At most this many of each.")
    var limit = 200

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (0...36500).contains(days) else { throw ValidationError("--days is 0 to 36500.") }
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    /// A part of the report: what it is called, the query, and what it says when it is empty.
    private struct Part {
        var name: String
        var title: String
        var query: String
        var none: String
    }

    // $1 days, $2 checkpost, $3 limit
    private static let isRecent = "($1::int = 0 or t > now() - make_interval(days => $1::int))"
    private static let isOfSegment = """
        ($2::text is null or segment_id = (select segment_id from checkposts where code = $2))
        """

    /// What a doubtful alert waits for, in words.
    private static let waitsFor = """
        coalesce((select string_agg(case d ->> 'kind'
                when 'reviews_unknown' then 'the reviews of ' || coalesce(d ->> 'checkpost', 'the other post') || ' are not known'
                when 'told_by_text' then 'the record of a text of ' || coalesce(d ->> 'checkpost', '?') || ' '
                    || \(time("checkpost.time_or_null(d ->> 'at')"))
                when 'looks_alike' then 'a word on ' || coalesce(d ->> 'plate', '?') || ' of ' || coalesce(d ->> 'checkpost', '?') || ' '
                    || \(time("checkpost.time_or_null(d ->> 'at')")) || ', which looks alike'
                when 'unwatched' then 'nobody knows who passed ' || coalesce(d ->> 'checkpost', '?') || ' from '
                    || \(time("checkpost.time_or_null(d ->> 'from')")) || ' to ' || \(time("checkpost.time_or_null(d ->> 'at')"))
                else 'the review of ' || coalesce(d ->> 'checkpost', '?') || ' ' || \(time("checkpost.time_or_null(d ->> 'at')"))
            end, '; ' order by d ->> 'at') from jsonb_array_elements(w.doubts) d), '-')
        """

    private static let parts = [
        Part(
            name: "violations", title: "Violations",
            query: """
                select v.violation_type as violation, v.plate_number as plate, v.vehicle_type as type,
                    a.code || ' ' || \(time("v.entry_time")) as entry, b.code || ' ' || \(time("v.exit_time")) as exit,
                    to_char(make_interval(secs => floor(extract(epoch from v.exit_time - v.entry_time))::float8), 'HH24:MI:SS') as took,
                    coalesce(trim_scale(v.calculated_speed_kmh)::text, 'infinite') as km_h, trim_scale(v.speed_limit_kmh) as limit,
                    trim_scale(greatest(v.tolerance_kmh, v.speed_limit_kmh * v.tolerance_percent / 100)) as tolerance,
                    coalesce(o.outcome_type || coalesce(' ' || o.fine_amount, ''), 'open') as outcome,
                    (e.photo_path is not null)::int + (x.photo_path is not null)::int as photos
                from (select *, exit_time as t from violations) v
                    join vehicle_passages e on e.id = v.entry_passage_id join checkposts a on a.id = e.checkpost_id
                    join vehicle_passages x on x.id = v.exit_passage_id join checkposts b on b.id = x.checkpost_id
                    left join violation_outcomes o on o.violation_id = v.id
                where \(isRecent) and \(isOfSegment.replacing("segment_id = ", with: "v.segment_id = "))
                order by v.exit_time desc limit $3::int
                """, none: "No violation."),
        Part(
            name: "overstays", title: "Overstay alerts that are open",
            query: """
                select w.plate_number as plate, w.vehicle_type as type, c.code || ' ' || \(time("w.entry_time")) as entry,
                    \(time("w.expected_exit_by")) as expected_out_by, \(waitsFor) as waits_for, (p.photo_path is not null)::int as photos
                from (select *, entry_time as t from proactive_overstay_alerts where not resolved) w
                    join vehicle_passages p on p.id = w.entry_passage_id join checkposts c on c.id = p.checkpost_id
                where \(isRecent) and \(isOfSegment.replacing("segment_id = ", with: "w.segment_id = "))
                order by w.entry_time desc limit $3::int
                """, none: "No open overstay alert."),
        Part(
            name: "changes", title: "Changes of passages",
            query: """
                select c.kind as change,
                    p.code || ' ' || \(time("(coalesce(c.old_passage, c.new_passage) ->> 'recorded_at')::timestamptz")) as passage,
                    c.old_plate_number as plate, coalesce(c.new_plate_number, '-') as corrected_to,
                    coalesce(c.old_violation ->> 'violation_type', '-') as violation_lost,
                    \(time("c.created_at")) as came, \(time("c.changed_at")) as changed, coalesce(c.acted_by, '-') as by,
                    \(account("c.changed_by")) as account, c.reason
                from (select *, created_at as t from passage_changes) c join checkposts p on p.id = c.checkpost_id
                where \(isRecent) and \(isOfSegment.replacing("segment_id = ", with: "c.segment_id = "))
                order by c.created_at desc limit $3::int
                """, none: ""),
        Part(
            name: "outcome_changes", title: "Outcomes that were changed or removed",
            query: """
                select c.kind as change, coalesce(v.plate_number, w.violation ->> 'plate_number') as plate,
                    \(outcome("c.old_outcome")) as was, \(outcome("c.new_outcome")) as is, \(time("c.created_at")) as came,
                    coalesce(c.acted_by, '-') as by, \(account("c.changed_by")) as account, coalesce(c.reason, '-') as reason
                from (select *, created_at as t from outcome_changes where kind <> 'recorded') c
                    left join violations v on v.id = c.violation_id left join withdrawn_violations w on w.id = c.violation_id
                where \(isRecent) and \(isOfSegment.replacing("segment_id = ", with: "c.segment_id = "))
                order by c.created_at desc limit $3::int
                """, none: ""),
        Part(
            name: "withdrawn", title: "Violations that fell away",
            query: """
                select c.violation ->> 'violation_type' as violation, c.violation ->> 'plate_number' as plate,
                    \(time("(c.violation ->> 'exit_time')::timestamptz")) as exit, \(outcome("c.outcome")) as outcome,
                    \(time("c.withdrawn_at")) as fell_away, \(account("c.withdrawn_by")) as account, c.reason
                from (select *, withdrawn_at as t from withdrawn_violations) c
                where \(isRecent) and \(isOfSegment.replacing("segment_id = ", with: "c.segment_id = "))
                order by c.withdrawn_at desc limit $3::int
                """, none: ""),
        Part(
            name: "posts", title: "Posts",
            query: """
                select c.code as post, (select count(*) from \(passages())) as passages,
                    (select count(*) from \(passages("and p.source = 'sms' and p.client_id = p.sms_client_id"))) as by_sms_alone,
                    (select count(*) from \(passages("and p.segment_id = c.segment_id and p.matched_passage_id is null"))) as unmatched,
                    \(time("(select max(t) from \(passages("and p.recorded_at <= now() + interval '24 hours'")))")) as last_passage,
                    \(time("(select max(m.updated_at) from sync_metadata m join user_profiles u on u.id = m.user_id"
                        + " where u.assigned_checkpost_id = c.id)")) as last_seen,
                    (select sum(m.pending_count) from sync_metadata m join user_profiles u on u.id = m.user_id
                        where u.assigned_checkpost_id = c.id) as waiting
                from checkposts c where c.stands_at is null and \(isOfSegment.replacing("segment_id = ", with: "c.segment_id = "))
                order by c.code limit $3::int
                """, none: "No checkpost."),
        Part(
            name: "evidence", title: "Chains of evidence",
            query: """
                select c.code as post, e.chain, h.number as entries, left(h.hash, 16) as head, \(time("h.received_at")) as came,
                    left(h.key, 16) as key
                from (select *, added_at as t from evidence_chains) e join checkposts c on c.id = e.checkpost_id
                    cross join lateral (select * from evidence_entries h where h.chain = e.chain
                        order by h.number desc limit 1) h
                where \(isOfSegment.replacing("segment_id = ", with: "c.segment_id = ")) and $1::int is not null
                order by e.added_at desc limit $3::int
                """, none: ""),
        Part(
            name: "evidence_problems", title: "Chains of evidence: look into these",
            query: """
                select c.code as post, p.problem, p.number, p.chain, \(time("p.received_at")) as came,
                    coalesce(p.detail, '-') as reason
                from (select *, received_at as t from checkpost.evidence_problems()) p
                    join checkposts c on c.id = p.checkpost_id
                where \(isRecent) and \(isOfSegment.replacing("segment_id = ", with: "c.segment_id = "))
                order by p.received_at desc limit $3::int
                """, none: ""),
        Part(
            name: "refused_sms", title: "SMS that were refused",
            query: """
                select \(time("s.received_at")) as received, s.sender, left(s.body, 60) as text, s.reason
                from (select *, received_at as t from sms_messages where result = 'refused') s
                where \(isRecent) and $2::text is not distinct from $2 order by s.received_at desc limit $3::int
                """, none: ""),
    ]

    /// The passages of a post that count. Each condition has an index of its own that answers without the table: read once for all of
    /// them, the passages of a month would be read row by row.
    private static func passages(_ condition: String = "") -> String {
        "(select p.recorded_at as t from vehicle_passages p where p.checkpost_id = c.id \(condition)) p where \(isRecent)"
    }

    /// The account that did it: the name beside it is what the post says.
    private static func account(_ column: String) -> String {
        "coalesce((select u.email from auth.users u where u.id = \(column)), '-')"
    }

    /// An outcome that is kept as JSON, in words.
    private static func outcome(_ column: String) -> String {
        "coalesce(\(column) ->> 'outcome_type', '-') || coalesce(' ' || (\(column) ->> 'fine_amount'), '')"
    }

    private static func time(_ expression: String) -> String {
        "to_char(\(expression) at time zone 'Asia/Kathmandu', 'YYYY-MM-DD HH24:MI:SS')"
    }

    func run() throws {
        let connection = try option.ownerConnection()
        let parameters: [String?] = [String(days), checkpost, String(limit)]
        if let checkpost,
            try connection.run("select 1 from checkposts where code = $1", [checkpost]).scalar == nil
        {
            throw Settings.Mistake(description: "There is no checkpost \(checkpost).")
        }
        // One snapshot, so that the parts agree.
        try connection.run("begin transaction isolation level repeatable read read only")
        if json {
            let parts = try Self.parts.map { part in
                let rows = try connection.run(
                    "select coalesce(json_agg(l), '[]') from (\(part.query)) l", parameters
                ).scalar
                return "\"\(part.name)\":\(rows ?? "[]")"
            }
            print("{\(parts.joined(separator: ","))}")
        } else {
            let texts = try Self.parts.compactMap { try text($0, connection.run($0.query, parameters)) }
            print(texts.joined(separator: "\n\n"))
        }
        try connection.run("commit")
    }

    /// The columns with plates. In JSON they are as the database has them.
    private static let plates: Set = ["plate", "corrected_to"]

    /// What an alert waits for, with its plates as everywhere in the report.
    private static func spelled(_ cell: String, _ column: String) -> String {
        guard column == "waits_for" else { return cell }
        return cell.replacing(#/\ba word on ([^;]+?) of /#) { "a word on \(StoredPlate.text(String($0.1))) of " }
    }

    /// Nil for a part that is not worth a word.
    private func text(_ part: Part, _ rows: PostgresRows) -> String? {
        guard !rows.rows.isEmpty else { return part.none.isEmpty ? nil : part.none }
        // Texts of posts and of whoever sends an SMS: none may pass for a line of the report.
        let cells =
            [rows.columns]
            + rows.rows.map { row in
                zip(rows.columns, row).map { column, cell in
                    let isPlate = Self.plates.contains(column) && cell != "-"
                    return cell.map { LogText.of(isPlate ? StoredPlate.text($0) : Self.spelled($0, column)) } ?? "-"
                }
            }
        let widths = rows.columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
                .trimmingCharacters(in: .newlines)
        }
        return ([part.title] + lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }).joined(
            separator: "\n")
    }
}
