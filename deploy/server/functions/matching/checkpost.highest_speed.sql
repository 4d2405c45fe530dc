-- The highest lawful speed of a trip, without the tolerance: that of the vehicle's type, where the segment has one. Where the posts saw another
-- type each, the higher one counts, in the driver's favour.
-- Called by judge_pair and on_passage_facts.
create or replace function checkpost.highest_speed(segment public.highway_segments, entry_type text, exit_type text) returns numeric
    language sql immutable set search_path = '' as $$
    select greatest(coalesce((segment.type_speeds_kmh ->> entry_type)::numeric, segment.max_speed_kmh),
        coalesce((segment.type_speeds_kmh ->> exit_type)::numeric, segment.max_speed_kmh))
$$;

revoke all on function checkpost.highest_speed(public.highway_segments, text, text)
    from public, anon, authenticated, service_role, authenticator;
