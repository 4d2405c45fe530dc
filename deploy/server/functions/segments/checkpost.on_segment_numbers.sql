-- Refuses distances and speeds that are none, and limits of vehicle types and of hours that are not above the lowest speed. In PostgreSQL NaN equals itself and is greater than every number, so `> 0` lets it pass. A
-- trigger and no check: the generated minutes are worked out before any check, and would divide by zero.
-- Called by the trigger b_numbers of highway_segments.
create or replace function checkpost.on_segment_numbers() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not (new.distance_km > 0 and new.distance_km <> 'NaN') then
        raise exception 'distance_km is not a distance' using errcode = '23514';
    end if;
    if not (new.max_speed_kmh > 0 and new.max_speed_kmh <> 'NaN') then
        raise exception 'max_speed_kmh is not a speed' using errcode = '23514';
    end if;
    if not (new.min_speed_kmh > 0 and new.min_speed_kmh <> 'NaN') then
        raise exception 'min_speed_kmh is not a speed' using errcode = '23514';
    end if;
    if jsonb_typeof(new.type_speeds_kmh) is distinct from 'object' or exists (select from jsonb_each(new.type_speeds_kmh) t
            where not checkpost.is_vehicle_type(t.key) or not checkpost.is_speed(t.value, new.min_speed_kmh)) then
        raise exception 'type_speeds_kmh has speeds above the lowest, with two decimals, by vehicle types' using errcode = '23514';
    end if;
    if not checkpost.are_hour_limits(new.hour_limits, new.min_speed_kmh) then
        raise exception 'hour_limits has at most 20 limits {from, until, type, kmh}, with speeds above the lowest' using errcode = '23514';
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_segment_numbers()
    from public, anon, authenticated, service_role, authenticator;
