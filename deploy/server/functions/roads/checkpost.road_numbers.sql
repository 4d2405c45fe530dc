-- A road's numbers as a page shows them, with those that vehicles are compared with: a speed above speeding_above is speeding, a way that took
-- longer than longest_minutes is an overstay.
-- Called by road_if and roads.
create or replace function checkpost.road_numbers(road public.highway_segments) returns jsonb
    language sql stable set search_path = '' as $$
    select jsonb_build_object('distance_km', road.distance_km, 'max_speed_kmh', road.max_speed_kmh, 'min_speed_kmh', road.min_speed_kmh,
        'tolerance_kmh', road.tolerance_kmh, 'tolerance_percent', road.tolerance_percent,
        'type_speeds_kmh', road.type_speeds_kmh, 'hour_limits', road.hour_limits, 'distance_certificate', road.distance_certificate,
        'speeding_above', round(checkpost.speeding_above(road, road.max_speed_kmh), 2), 'overstay_below', round(checkpost.overstay_below(road), 2),
        'shortest_minutes', round(road.distance_km * 60 / checkpost.speeding_above(road, road.max_speed_kmh), 2),
        'longest_minutes', round(extract(epoch from checkpost.longest_time(road)) / 60, 2))
$$;

revoke all on function checkpost.road_numbers(public.highway_segments)
    from public, anon, authenticated, service_role, authenticator;
