-- The highest lawful speed of a trip, without the tolerance. Where another limit held on the way, and where the posts saw another type each, the
-- highest one counts, in the driver's favour. Limits rise where hours end alone, since hours only lower them.
-- Called by judge_pair and on_passage_facts.
create or replace function checkpost.highest_speed(entry public.vehicle_passages, leaving public.vehicle_passages, segment public.highway_segments)
    returns numeric
    language sql stable set search_path = '' as $$
    with trip as (
        select l.entered, leaving.recorded_at - entry.recorded_at + make_interval(secs => checkpost.time_slack(leaving)::double precision) as took
        from (select (entry.recorded_at at time zone 'UTC') + interval '5 hours 45 minutes' as entered) l
    ), moments as (
        select to_char(t.entered, 'HH24:MI') as clock from trip t
        union
        select h.l ->> 'until' from trip t, jsonb_array_elements(segment.hour_limits) h (l), lateral (
            select (h.l ->> 'until')::time - t.entered::time as ahead) a
        where case when a.ahead > interval '0' then a.ahead else a.ahead + interval '24 hours' end <= t.took
    )
    select max(checkpost.speed_at(segment, v.vehicle, m.clock))
    from moments m, (values (entry.vehicle_type), (leaving.vehicle_type)) v (vehicle)
$$;

revoke all on function checkpost.highest_speed(public.vehicle_passages, public.vehicle_passages, public.highway_segments)
    from public, anon, authenticated, service_role, authenticator;
