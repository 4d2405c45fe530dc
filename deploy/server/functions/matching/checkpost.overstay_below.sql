-- The speed below which a vehicle overstayed: the segment's lowest less its tolerance, of which the larger part counts. Example: 1 km/h and
-- 5 % make 9 of a lowest speed of 10.
-- Called by judge_pair, longest_time, road_numbers and road_with.
create or replace function checkpost.overstay_below(segment public.highway_segments) returns numeric
    language sql immutable set search_path = '' as $$
    select segment.min_speed_kmh - greatest(segment.tolerance_kmh, segment.min_speed_kmh * segment.tolerance_percent / 100)
$$;

revoke all on function checkpost.overstay_below(public.highway_segments)
    from public, anon, authenticated, service_role, authenticator;
