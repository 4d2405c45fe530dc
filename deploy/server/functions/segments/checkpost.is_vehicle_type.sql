-- Whether that is the name of a type of vehicles.
-- Called by are_hour_limits and on_segment_numbers.
create or replace function checkpost.is_vehicle_type(name text) returns boolean
    language sql immutable set search_path = '' as $$
    select coalesce(name in ('car', 'jeep_suv', 'minibus', 'bus', 'truck', 'tanker', 'motorcycle', 'auto_rickshaw', 'tractor', 'other'), false)
$$;

revoke all on function checkpost.is_vehicle_type(text)
    from public, anon, authenticated, service_role, authenticator;
