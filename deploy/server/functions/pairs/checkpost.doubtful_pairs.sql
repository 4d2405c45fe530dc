-- Pairs of passages that may be one vehicle whose plate was misread, and wait for a warden's word, the newest entry first: {pairs: [[entry,
-- exit]], until}. Open passages before the moment `before` (microseconds since 1970; null: now) are looked at, 200 of them at most, until 50
-- pairs are found or a third of a second has gone: a page waits no longer, and `until` is where the next one begins, null at the end. A ranger
-- finds those of the own segment, an admin, warden or auditor all, anybody else none. Like find_passages it looks as the owner and gives ids
-- alone.
-- Called by the gateway.
create or replace function checkpost.doubtful_pairs(before bigint) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    road uuid := checkpost.my_segment();
    seen public.vehicle_passages;
    pairs jsonb := '[]';
    more jsonb;
    looked integer := 0;
    last bigint;
    is_over boolean := true;
    begun timestamptz := clock_timestamp();
begin
    if road is null and not checkpost.reads_all() then return '{"pairs": []}'; end if;
    -- Planned with the values, as find_passages is.
    for seen in execute 'select p.* from public.vehicle_passages p where p.matched_passage_id is null and p.recorded_at < $1'
        || case when checkpost.reads_all() then '' else ' and p.segment_id = $2' end || ' order by p.recorded_at desc, p.id desc limit 200'
        using coalesce(timestamptz 'epoch' + before * interval '1 microsecond', 'infinity'), road
    loop
        looked := looked + 1;
        last := (extract(epoch from seen.recorded_at) * 1000000)::bigint;
        if seen.travel is distinct from 'leaving' and not checkpost.is_unproven_text(seen.client_id, seen.clock_state) then
            select coalesce(jsonb_agg(jsonb_build_array(seen.id, a.id) order by a.id), '[]') into more
                from checkpost.alike_passages(seen) a;
            pairs := pairs || more;
        end if;
        is_over := not (looked = 200 or jsonb_array_length(pairs) >= 50
            or (looked >= 20 and clock_timestamp() - begun > interval '330 milliseconds'));
        exit when not is_over;
    end loop;
    -- One moment more than the last one looked at: others of the same moment are not lost. Never the same page again.
    return jsonb_build_object('pairs', pairs, 'until', case when is_over then null when last + 1 < before is not false then last + 1 else last end);
end
$$;

revoke all on function checkpost.doubtful_pairs(bigint)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.doubtful_pairs(bigint) to authenticated, service_role;
