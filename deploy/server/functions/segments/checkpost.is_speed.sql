-- Whether that is a highest speed: above the lowest one, with two decimals.
-- Called by are_hour_limits and on_segment_numbers.
create or replace function checkpost.is_speed(value jsonb, lowest numeric) returns boolean
    language sql immutable set search_path = '' as $$
    select case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric > lowest and (value #>> '{}')::numeric <= 999.99
        and (value #>> '{}')::numeric = round((value #>> '{}')::numeric, 2) else false end
$$;

revoke all on function checkpost.is_speed(jsonb, numeric)
    from public, anon, authenticated, service_role, authenticator;
