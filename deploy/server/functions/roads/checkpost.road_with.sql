-- A road as it would be with these values: distance_km, max_speed_kmh, min_speed_kmh, tolerance_kmh, tolerance_percent,
-- type_speeds_kmh, hour_limits and distance_certificate (empty for none); what is not named stays. The columns' own rules, in words that a form can say.
-- Called by add_road, change_road, make_road_plans and road_if.
create or replace function checkpost.road_with(road uuid, wanted jsonb) returns public.highway_segments
    language plpgsql stable security definer set search_path = '' as $$
declare
    becomes public.highway_segments;
    speeds numeric[];
begin
    select s.* into becomes from public.highway_segments s where s.id = road;
    if not found then raise exception 'there is no such road' using errcode = 'PT404'; end if;
    begin
        becomes := jsonb_populate_record(becomes, jsonb_strip_nulls(jsonb_build_object('distance_km', wanted -> 'distance_km',
            'max_speed_kmh', wanted -> 'max_speed_kmh', 'min_speed_kmh', wanted -> 'min_speed_kmh',
            'tolerance_kmh', wanted -> 'tolerance_kmh', 'tolerance_percent', wanted -> 'tolerance_percent',
            'type_speeds_kmh', wanted -> 'type_speeds_kmh', 'hour_limits', wanted -> 'hour_limits')));
    exception when numeric_value_out_of_range or invalid_text_representation then
        raise exception 'a number is too large, or none' using errcode = 'PT422', detail = 'error_road_number';
    end;
    if wanted ? 'distance_certificate' then
        becomes.distance_certificate := nullif(btrim(wanted ->> 'distance_certificate'), '');
    end if;
    if length(becomes.distance_certificate) > 100 or becomes.distance_certificate ~ '[[:cntrl:]]' then
        raise exception 'a certificate has a number of 100 characters at most' using errcode = 'PT422', detail = 'error_road_certificate';
    end if;
    if becomes.distance_km not between 0.1 and 1000 then
        raise exception 'a road has 0.1 to 1000 km' using errcode = 'PT422', detail = 'error_road_distance';
    end if;
    if becomes.max_speed_kmh not between 1 and 200 or becomes.min_speed_kmh not between 1 and 200 then
        raise exception 'speeds are from 1 to 200 km/h' using errcode = 'PT422', detail = 'error_road_speed';
    end if;
    if becomes.min_speed_kmh >= becomes.max_speed_kmh then
        raise exception 'the lowest speed is below the highest' using errcode = 'PT422', detail = 'error_road_limits';
    end if;
    if becomes.tolerance_kmh not between 0 and 50 or becomes.tolerance_percent not between 0 and 50
        or checkpost.overstay_below(becomes) < 0.5 then
        raise exception 'the tolerance is too large' using errcode = 'PT422', detail = 'error_road_tolerance';
    end if;
    if not checkpost.are_hour_limits(becomes.hour_limits, 0) then
        raise exception 'these are no hours, or more than 20' using errcode = 'PT422', detail = 'error_road_hours';
    end if;
    speeds := array(select t.value::numeric from jsonb_each_text(becomes.type_speeds_kmh) t
        union select (l ->> 'kmh')::numeric from jsonb_array_elements(becomes.hour_limits) l where l ? 'kmh');
    if exists (select from unnest(speeds) s where s not between 1 and 200) then
        raise exception 'speeds are from 1 to 200 km/h' using errcode = 'PT422', detail = 'error_road_speed';
    end if;
    if exists (select from unnest(speeds) s where s <= becomes.min_speed_kmh) then
        raise exception 'the lowest speed is below the highest' using errcode = 'PT422', detail = 'error_road_limits';
    end if;
    return becomes;
end
$$;

revoke all on function checkpost.road_with(uuid, jsonb)
    from public, anon, authenticated, service_role, authenticator;
