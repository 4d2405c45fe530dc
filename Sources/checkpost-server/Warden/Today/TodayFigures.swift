import Enforcement
import Foundation
import Pages

/// How the posts do, and what there was today, as the account's own rights show it.
struct TodayFigures: Decodable, Sendable {
    var passages: Int
    var speeding: Int
    var overstay: Int
    var openOverstays: Int
    /// Without a passage at the other post, and not yet longer on the road than is lawful.
    var inside: Int
    /// Violations of the last seven days that nobody has recorded an outcome of.
    var withoutOutcome: Int

    struct Post: Decodable, Sendable {
        var code: String
        var name: String
        var passages: Int
        var lastPassage: Micros?
        /// Passages of today that are known by their text alone.
        var bySms: Int
        /// When its box was heard of. Nil where nothing is known, or where the account may not know it.
        var lastSeen: Micros?
        var version: String?
        var waiting: Int?
        /// Vehicles that wait there for a ranger's review, and when it said so.
        var reviews: Int?
        var reviewsAt: Micros?
        /// How far its chain of evidence goes; nil where the server has none.
        var evidence: Int?
        /// What is wrong with its evidence, of the last 30 days.
        var evidenceProblems: Int
    }

    static func counts(_ connection: PostgresConnection, since: Instant) throws -> TodayFigures? {
        try connection.list(
            TodayFigures.self,
            """
            select
                (select count(*) from vehicle_passages p where p.recorded_at >= d.day and p.recorded_at < d.day + interval '1 day'
                    and p.copy_of is null) as passages,
                count(v.id) filter (where v.exit_time >= d.day and v.violation_type = 'speeding') as speeding,
                count(v.id) filter (where v.exit_time >= d.day and v.violation_type = 'overstay') as overstay,
                (select count(*) from proactive_overstay_alerts a where not a.resolved) as open_overstays,
                (select coalesce(sum((select count(*) from vehicle_passages p where p.segment_id = s.id
                        and p.matched_passage_id is null and p.recorded_at <= now()
                        and p.recorded_at > checkpost.inside_since(s.id) and p.travel is distinct from 'leaving')), 0)
                    from highway_segments s) as inside,
                count(v.id) filter (where not exists (select from violation_outcomes o where o.violation_id = v.id)) as without_outcome
            from (select timestamptz 'epoch' + $1::bigint * interval '1 microsecond' as day) d
                left join violations v on v.exit_time >= d.day - interval '6 days'
            group by d.day
            """, [String(Micros(since).value)]
        ).first
    }

    static func posts(_ connection: PostgresConnection, since: Instant) throws -> [Post] {
        try connection.list(
            Post.self,
            """
            select c.code, c.name, today.passages, today.by_sms, \(Micros.of("last.recorded_at")) as last_passage,
                \(Micros.of("box.seen")) as last_seen, box.version, box.waiting,
                case when r.waiting is not null then (select count(*) from jsonb_array_elements(r.waiting) w
                    where not coalesce(w ? 'unwatched_from', false)) end as reviews, \(Micros.of("r.as_of")) as reviews_at,
                chain.complete_to as evidence, coalesce(wrong.count, 0) as evidence_problems
            from checkposts c
                left join lateral (select count(*) as passages,
                        count(*) filter (where p.source = 'sms' and p.client_id = p.sms_client_id) as by_sms
                    from vehicle_passages p where p.checkpost_id = c.id
                        and p.recorded_at >= timestamptz 'epoch' + $1::bigint * interval '1 microsecond') today on true
                left join lateral (select p.recorded_at from vehicle_passages p
                    where p.checkpost_id = c.id and p.recorded_at <= now() + interval '24 hours'
                    order by p.recorded_at desc limit 1) last on true
                left join lateral (select max(m.updated_at) as seen, sum(m.pending_count) as waiting,
                        (array_agg(m.app_version order by m.updated_at desc))[1] as version
                    from sync_metadata m join user_profiles u on u.id = m.user_id
                    where u.assigned_checkpost_id = c.id) box on true
                left join post_reviews r on r.checkpost_id = c.id
                left join lateral (select e.complete_to from evidence_chains e where e.checkpost_id = c.id
                    order by e.added_at desc limit 1) chain on true
                left join (select p.checkpost_id, count(*) from checkpost.evidence_problems() p
                    where p.received_at > now() - interval '30 days' group by 1) wrong on wrong.checkpost_id = c.id
            where c.is_active and c.stands_at is null
                and (checkpost.reads_all() or current_user = 'service_role' or c.segment_id = checkpost.my_segment())
            order by c.code limit 500
            """, [String(Micros(since).value)])
    }
}
