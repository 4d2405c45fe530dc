-- Makes the violation that a linked pair is, if it is one, and returns its id. It carries the plate and the type of the entry. A time from
-- an untrusted clock makes none. Tests/Contract/judging.json holds box and server to the same cases.
-- Called by link_passages and on_passage_facts.
create or replace function checkpost.judge_pair(entry public.vehicle_passages, leaving public.vehicle_passages) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    segment public.highway_segments;
    travel_seconds numeric := extract(epoch from leaving.recorded_at - entry.recorded_at);
    highest numeric;
    broken_limit numeric;
    threshold numeric;
    kind text;
    violation uuid;
begin
    if 'untrusted' in (coalesce(entry.clock_state, ''), coalesce(leaving.clock_state, '')) then return null; end if;
    select s.* into strict segment from public.highway_segments s where s.id = entry.segment_id;
    highest := checkpost.highest_speed(entry, leaving, segment);

    -- A second that a text doesn't divide counts in the driver's favour: the exit may have been later, and so may the entry.
    -- Products instead of quotients: nothing is rounded, so exactly on a threshold is no violation.
    -- Example: 45 km at 40 km/h is 4050 s; 4050 * 40 = 45 * 3600, not less.
    if (travel_seconds + checkpost.time_slack(leaving)) * checkpost.speeding_above(segment, highest) < segment.distance_km * 3600 then
        kind := 'speeding';
        broken_limit := highest;
        threshold := checkpost.speeding_above(segment, highest);
    elsif (travel_seconds - checkpost.time_slack(entry)) * checkpost.overstay_below(segment) > segment.distance_km * 3600 then
        kind := 'overstay';
        broken_limit := segment.min_speed_kmh;
        threshold := checkpost.overstay_below(segment);
    else
        return null;
    end if;

    insert into public.violations (entry_passage_id, exit_passage_id, segment_id, violation_type, plate_number,
        vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes, calculated_speed_kmh,
        speed_limit_kmh, distance_km, tolerance_kmh, tolerance_percent)
    values (entry.id, leaving.id, segment.id, kind, entry.plate_number, entry.vehicle_type, entry.recorded_at,
        leaving.recorded_at, travel_seconds / 60, segment.distance_km * 60 / threshold,
        segment.distance_km * 3600 / nullif(travel_seconds, 0), broken_limit, segment.distance_km,
        segment.tolerance_kmh, segment.tolerance_percent)
    returning id into violation;
    return violation;
end
$$;

revoke all on function checkpost.judge_pair(public.vehicle_passages, public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
