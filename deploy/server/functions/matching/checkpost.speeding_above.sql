-- The speed above which a vehicle is speeding: the highest lawful one with the segment's tolerance, of which the larger part counts. Example: 3 km/h
-- and 3 % make 43 of a highest speed of 40, and 118.45 of one of 115.
-- Called by judge_pair and road_numbers.
create or replace function checkpost.speeding_above(segment public.highway_segments, highest numeric) returns numeric
    language sql immutable set search_path = '' as $$
    select highest + greatest(segment.tolerance_kmh, highest * segment.tolerance_percent / 100)
$$;

revoke all on function checkpost.speeding_above(public.highway_segments, numeric)
    from public, anon, authenticated, service_role, authenticator;
