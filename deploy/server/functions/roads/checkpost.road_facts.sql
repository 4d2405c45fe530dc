-- What is kept of a road when it changes: what it is called, and what vehicles are judged by.
-- Called by change_road, drop_road_plan, keep_road_change, make_road_plans and on_road_kept.
create or replace function checkpost.road_facts(road public.highway_segments) returns jsonb
    language sql immutable set search_path = '' as $$
    select jsonb_build_object('name', road.name, 'distance_km', road.distance_km, 'max_speed_kmh', road.max_speed_kmh,
        'min_speed_kmh', road.min_speed_kmh, 'tolerance_kmh', road.tolerance_kmh, 'tolerance_percent', road.tolerance_percent,
        'type_speeds_kmh', road.type_speeds_kmh, 'hour_limits', road.hour_limits,
        'distance_certificate', road.distance_certificate, 'is_active', road.is_active)
$$;

revoke all on function checkpost.road_facts(public.highway_segments)
    from public, anon, authenticated, service_role, authenticator;
