-- The longest time on a segment that is no overstay.
-- Called by excuse_partner, inside_since, raise_overstay_alerts, resolve_alert, road_if and road_numbers.
create or replace function checkpost.longest_time(segment public.highway_segments) returns interval
    language sql immutable set search_path = '' as $$
    select make_interval(secs => (segment.distance_km * 3600 / checkpost.overstay_below(segment))::double precision)
$$;

revoke all on function checkpost.longest_time(public.highway_segments)
    from public, anon, authenticated, service_role, authenticator;
