-- Whether these are limits by hours, at most 20: {from, until, type?, kmh?}, from one time of day until another one, with speeds above the lowest.
-- Called by on_segment_numbers and road_with.
create or replace function checkpost.are_hour_limits(limits jsonb, lowest numeric) returns boolean
    language plpgsql immutable set search_path = '' as $$
declare
    hour_limit jsonb;
begin
    if jsonb_typeof(limits) is distinct from 'array' or jsonb_array_length(limits) > 20 then return false; end if;
    for hour_limit in select l from jsonb_array_elements(limits) l loop
        if jsonb_typeof(hour_limit) <> 'object' or hour_limit - '{from, until, type, kmh}'::text[] <> '{}'
            or coalesce(hour_limit ->> 'from', '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
            or coalesce(hour_limit ->> 'until', '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
            or hour_limit ->> 'from' = hour_limit ->> 'until'
            or hour_limit ? 'type' and not checkpost.is_vehicle_type(hour_limit ->> 'type')
            or hour_limit ? 'kmh' and not checkpost.is_speed(hour_limit -> 'kmh', lowest) then
            return false;
        end if;
    end loop;
    return true;
end
$$;

revoke all on function checkpost.are_hour_limits(jsonb, numeric)
    from public, anon, authenticated, service_role, authenticator;
