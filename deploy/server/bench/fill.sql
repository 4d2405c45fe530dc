-- Fills an empty database of the bench: roads, posts, and passages of the last three years, of which 48 of 49 are matched; violations, outcomes
-- and alerts as a park has them. Needs a superuser: the triggers are off, and their work is written here.
--   psql -v rows=1000000 -v roads=200 -f fill.sql
\set ON_ERROR_STOP on
set session_replication_role = replica;
set synchronous_commit = off;

insert into public.parks (id, name, code) values ('c0000000-0000-4000-8000-000000000001', 'Bench', 'BENCH');
create table checkpost.bench_roads as
    select n as number, gen_random_uuid() as road, gen_random_uuid() as a, gen_random_uuid() as b from generate_series(0, :roads - 1) n;
insert into public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh, server_seq)
    select road, 'c0000000-0000-4000-8000-000000000001', 'Road ' || number, 45, 40, 10, nextval('public.server_seq') from checkpost.bench_roads;
insert into public.checkposts (id, segment_id, name, code, position_index, server_seq)
    select a, road, 'Post A' || number, 'A' || number, 0, nextval('public.server_seq') from checkpost.bench_roads
    union all select b, road, 'Post B' || number, 'B' || number, 1, nextval('public.server_seq') from checkpost.bench_roads;

-- Indexes are made after the rows: it takes a third of the time, and they are as dense as those of a restored database.
create table checkpost.bench_indexes as
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = 'public.vehicle_passages'::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid);
select format('drop index %s', name) from checkpost.bench_indexes
\gexec

create procedure checkpost.bench_fill(rows bigint, roads integer) language plpgsql as $$
declare
    pairs constant bigint := rows / 2;
    step constant bigint := 250000;
    first bigint := 0;
begin
    while first < pairs loop
        insert into public.vehicle_passages (id, client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, segment_id, recorded_at,
            server_received_at, matched_passage_id, is_entry, created_at, confidence, clock_state, photo_path, photo_sha256, server_seq)
        select e.id, gen_random_uuid(), e.plate, e.plate, p.kind, e.post, p.road, e.at, e.at + interval '5 seconds', e.partner, e.is_entry, e.at,
            0.95, 'synchronised', e.post || '/' || e.id || '.jpg', md5(e.id::text) || md5(e.id::text), nextval('public.server_seq')
        from (
            select n, 'BA ' || 1 + n % 20 || ' PA ' || 1000 + (n * 7919) % 9000 as plate, r.road, r.a, r.b,
                (array['car', 'bus', 'truck', 'motorcycle'])[1 + n % 4] as kind, n % 49 <> 0 as is_matched, gen_random_uuid() as one,
                gen_random_uuid() as two, now() - interval '10 minutes' - (pairs - n) * (interval '1095 days' / pairs) as moment
            from generate_series(first, least(first + step, pairs) - 1) n join checkpost.bench_roads r on r.number = (n * 31) % roads
        ) p cross join lateral (values
            (p.one, p.a, p.moment - case when p.is_matched then interval '1 second' * (4300 + p.n % 3000) else interval '0' end,
                case when p.is_matched then p.two end, case when p.is_matched then true end, p.plate),
            (p.two, p.b, p.moment, case when p.is_matched then p.one end, case when p.is_matched then false end,
                case when p.is_matched then p.plate else replace(p.plate, 'PA', 'CHA') end)
        ) e (id, post, at, partner, is_entry, plate);
        first := first + step;
        commit;
    end loop;
end
$$;
call checkpost.bench_fill(:rows, :roads);

set maintenance_work_mem = '512MB';
set max_parallel_maintenance_workers = 0;
select definition from checkpost.bench_indexes
\gexec
vacuum (analyze, freeze) public.vehicle_passages;

-- One pair in 50 was a violation, and half of those have an outcome.
insert into public.violations (entry_passage_id, exit_passage_id, segment_id, violation_type, plate_number, vehicle_type, entry_time, exit_time,
    travel_time_minutes, threshold_minutes, calculated_speed_kmh, speed_limit_kmh, distance_km, created_at, server_seq)
select p.id, p.matched_passage_id, p.segment_id, 'speeding', p.plate_number, p.vehicle_type, p.recorded_at, q.recorded_at, 60, 62.8, 45, 40, 45,
    q.recorded_at, nextval('public.server_seq')
from public.vehicle_passages p join public.vehicle_passages q on q.id = p.matched_passage_id where p.is_entry and p.server_seq % 49 = 0;
insert into public.violation_outcomes (violation_id, outcome_type, recorded_at, created_at, server_seq)
select v.id, 'fined', v.exit_time, v.exit_time, nextval('public.server_seq') from public.violations v where v.server_seq % 2 = 0;
-- Whoever never came out has an alert, and the office has settled those of the day before yesterday.
insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time, expected_exit_by, created_at,
    resolved, resolved_at, server_seq)
select p.id, p.segment_id, p.plate_number, p.vehicle_type, p.recorded_at, p.recorded_at + interval '5 hours', p.recorded_at + interval '5 hours',
    p.recorded_at < now() - interval '36 hours', case when p.recorded_at < now() - interval '36 hours' then p.recorded_at + interval '1 day' end,
    nextval('public.server_seq')
from public.vehicle_passages p where p.matched_passage_id is null and p.recorded_at < now() - interval '12 hours';
drop procedure checkpost.bench_fill;
drop table checkpost.bench_indexes;
vacuum (analyze, freeze) public.violations, public.violation_outcomes, public.proactive_overstay_alerts;
checkpoint;
