import Enforcement
import Foundation

/// What was recorded in one hour of one day, as a clock in Nepal has them.
struct PassageHour: Decodable, Sendable {
    /// `2026-11-21`
    var day: String
    var hour: Int
    /// 0 is Sunday.
    var weekday: Int
    var passages: Int
    /// Those that the camera recorded by itself, without a ranger.
    var alone: Int

    static func found(
        _ connection: PostgresConnection, since: Instant, post: String?, segment: String?
    ) throws -> [PassageHour] {
        try connection.list(
            PassageHour.self,
            """
            select t.day::date::text as day, extract(hour from t.day)::int as hour, extract(dow from t.day)::int as weekday, t.passages, t.alone
            from (select date_trunc('hour', p.recorded_at at time zone 'Asia/Kathmandu') as day, count(*) as passages,
                    count(*) filter (where p.source = 'app' and p.acted_by is null) as alone
                from vehicle_passages p
                where p.recorded_at >= timestamptz 'epoch' + $1::bigint * interval '1 microsecond'
                    and p.recorded_at < now() + interval '1 hour'
                    -- Over all roads each passage once.
                    and (p.copy_of is null or $2::uuid is not null or $3::uuid is not null)
                    and ($2::uuid is null or p.checkpost_id = $2::uuid) and ($3::uuid is null or p.segment_id = $3::uuid)
                group by 1) t
            order by t.day
            """, [String(Micros(since).value), post, segment])
    }
}

/// The violations of one day, of one kind and speed.
struct ViolationDay: Decodable, Sendable {
    var day: String
    var kind: String
    /// The lower end of a span of 5 km/h; nil for infinite.
    var speed: Int?
    var count: Int

    static func found(
        _ connection: PostgresConnection, since: Instant, post: String?, segment: String?
    ) throws -> [ViolationDay] {
        try connection.list(
            ViolationDay.self,
            """
            select (v.exit_time at time zone 'Asia/Kathmandu')::date::text as day, v.violation_type as kind,
                least(floor(v.calculated_speed_kmh / 5) * 5, 200)::int as speed, count(*) as count
            from violations v
            where v.exit_time >= timestamptz 'epoch' + $1::bigint * interval '1 microsecond' and v.exit_time < now() + interval '1 hour'
                and ($2::uuid is null or v.segment_id = (select c.segment_id from checkposts c where c.id = $2::uuid))
                and ($3::uuid is null or v.segment_id = $3::uuid)
            group by 1, 2, 3 order by 1
            """, [String(Micros(since).value), post, segment])
    }
}
