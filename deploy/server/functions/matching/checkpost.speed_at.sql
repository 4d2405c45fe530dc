-- The highest lawful speed of a type of vehicles at a time of day, `22:30` in Nepal: the lowest of the limits that hold then.
-- Called by highest_speed.
create or replace function checkpost.speed_at(segment public.highway_segments, vehicle text, clock text) returns numeric
    language sql immutable set search_path = '' as $$
    select least(coalesce((segment.type_speeds_kmh ->> vehicle)::numeric, segment.max_speed_kmh),
        (select min((l ->> 'kmh')::numeric) from jsonb_array_elements(segment.hour_limits) l
        where coalesce(l ->> 'type', vehicle) = vehicle
            and case when l ->> 'from' < l ->> 'until' collate "C" then clock collate "C" >= l ->> 'from' and clock collate "C" < l ->> 'until'
                else clock collate "C" >= l ->> 'from' or clock collate "C" < l ->> 'until' end))
$$;

revoke all on function checkpost.speed_at(public.highway_segments, text, text)
    from public, anon, authenticated, service_role, authenticator;
