-- Pairs of passages that may be one vehicle whose plate was misread, and wait for a warden's word, the newest entry first: {pairs: [[entry,
-- exit]], until}. 200 open passages before the moment `before` (microseconds since 1970; null: now) are looked at, and 50 pairs given;
-- `until` is where the next ones begin, null at the end. A ranger finds those of the own segment, an admin, warden or auditor all, anybody
-- else none. Like find_passages it looks as the owner and gives ids alone.
-- Called by the gateway.
create or replace function checkpost.doubtful_pairs(before bigint) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    road uuid := checkpost.my_segment();
    answer jsonb;
begin
    if road is null and not checkpost.reads_all() then return '{"pairs": []}'; end if;
    -- Planned with the values, as find_passages is.
    execute 'with seen as materialized (
            select p.* from public.vehicle_passages p where p.matched_passage_id is null and p.recorded_at < $1'
        || case when checkpost.reads_all() then '' else ' and p.segment_id = $2' end || '
            order by p.recorded_at desc, p.id desc limit 200
        ), pairs as (
            select s.id as entry, a.id as leaving, s.recorded_at from seen s cross join lateral checkpost.alike_passages(s) a
            where s.travel is distinct from ''leaving'' and not checkpost.is_unproven_text(s.client_id, s.clock_state)
            order by s.recorded_at desc, s.id desc, a.id limit 50
        )
        select jsonb_build_object(''pairs'', (select coalesce(jsonb_agg(jsonb_build_array(r.entry, r.leaving)
                order by r.recorded_at desc, r.entry desc, r.leaving), ''[]'') from pairs r),
            -- One moment more than the last entry shown: others of the same moment are not lost.
            ''until'', coalesce((select (extract(epoch from min(r.recorded_at)) * 1000000)::bigint + 1 from pairs r having count(*) = 50),
                (select (extract(epoch from min(s.recorded_at)) * 1000000)::bigint from seen s having count(*) = 200)))'
        into answer using coalesce(timestamptz 'epoch' + before * interval '1 microsecond', 'infinity'), road;
    return answer;
end
$$;

revoke all on function checkpost.doubtful_pairs(bigint)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.doubtful_pairs(bigint) to authenticated, service_role;
