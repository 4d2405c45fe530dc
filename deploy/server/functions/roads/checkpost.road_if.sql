-- What a change of a road would do, before it is made: {before, after, inside, late, spared}. `inside` is how many vehicles are lawfully inside
-- now, `late` how many of them would be overstays at once, `spared` how many open overstays would not have been raised. For admins.
-- Called by the gateway.
create or replace function checkpost.road_if(road uuid, wanted jsonb) returns jsonb
    language plpgsql stable security definer set search_path = '' as $$
declare
    was public.highway_segments;
    becomes public.highway_segments;
    lawful timestamptz;
    lawful_then timestamptz;
begin
    if checkpost.is_client() and not checkpost.is_admin() then
        raise exception 'only an admin changes roads' using errcode = 'PT403';
    end if;
    becomes := checkpost.road_with(road, wanted);
    select s.* into was from public.highway_segments s where s.id = road;
    lawful := now() - checkpost.longest_time(was);
    lawful_then := now() - checkpost.longest_time(becomes);
    return jsonb_build_object('name', was.name, 'before', checkpost.road_numbers(was), 'after', checkpost.road_numbers(becomes))
        || (select jsonb_build_object('inside', count(*), 'late', count(*) filter (where p.recorded_at < lawful_then))
            from public.vehicle_passages p
            where p.segment_id = road and p.matched_passage_id is null and p.recorded_at >= lawful and p.recorded_at <= now()
                and p.clock_state is distinct from 'untrusted' and p.travel is distinct from 'leaving')
        || (select jsonb_build_object('spared', count(*)) from public.proactive_overstay_alerts a
            where a.segment_id = road and not a.resolved and a.entry_time >= lawful_then);
end
$$;

revoke all on function checkpost.road_if(uuid, jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.road_if(uuid, jsonb) to authenticated, service_role;
