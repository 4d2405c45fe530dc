-- Gives a road the numbers of this one. The trigger keeps what it was.
-- Called by change_road and make_road_plans.
create or replace function checkpost.put_road(becomes public.highway_segments) returns void
    language sql volatile security definer set search_path = '' as $$
    update public.highway_segments s set distance_km = becomes.distance_km, max_speed_kmh = becomes.max_speed_kmh,
        min_speed_kmh = becomes.min_speed_kmh, tolerance_kmh = becomes.tolerance_kmh, tolerance_percent = becomes.tolerance_percent,
        type_speeds_kmh = becomes.type_speeds_kmh, hour_limits = becomes.hour_limits,
        distance_certificate = becomes.distance_certificate
    where s.id = becomes.id
$$;

revoke all on function checkpost.put_road(public.highway_segments)
    from public, anon, authenticated, service_role, authenticator;
