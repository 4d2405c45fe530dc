-- A segment's tolerance: how far past a limit a vehicle may be before it is a violation. The larger of the two counts, in its favour.
-- With 0 and 0, as the published schema has it, the limit itself is the threshold.
--
-- The columns min_travel_time_minutes and max_travel_time_minutes stay what the law says, without the tolerance. A violation's
-- speed_limit_kmh is the lawful limit too; its threshold_minutes is what was compared with.

alter table public.highway_segments
    add column tolerance_kmh numeric(5,2) not null default 0,
    add column tolerance_percent numeric(5,2) not null default 0,
    -- NaN is greater than every number, so it is refused as too large.
    add constraint highway_segments_tolerance_check check (tolerance_kmh >= 0 and tolerance_percent >= 0
        and tolerance_kmh < min_speed_kmh and tolerance_percent < 100);

alter table public.violations
    add column tolerance_kmh numeric(5,2) not null default 0,
    add column tolerance_percent numeric(5,2) not null default 0;

-- The speed that is compared with. Example: 3 km/h and 3 % make 43 of a highest speed of 40, and 118.45 of one of 115.
create function checkpost.speeding_above(segment public.highway_segments) returns numeric
    language sql immutable set search_path = '' as $$
    select segment.max_speed_kmh + greatest(segment.tolerance_kmh, segment.max_speed_kmh * segment.tolerance_percent / 100)
$$;
create function checkpost.overstay_below(segment public.highway_segments) returns numeric
    language sql immutable set search_path = '' as $$
    select segment.min_speed_kmh - greatest(segment.tolerance_kmh, segment.min_speed_kmh * segment.tolerance_percent / 100)
$$;

-- The longest time that is no overstay.
create function checkpost.longest_time(segment public.highway_segments) returns interval
    language sql immutable set search_path = '' as $$
    select make_interval(secs => (segment.distance_km * 3600 / checkpost.overstay_below(segment))::double precision)
$$;

-- As before, with the segment's tolerance.
create or replace function checkpost.link_passages(one uuid, other uuid) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    entry public.vehicle_passages;
    leaving public.vehicle_passages;
    segment public.highway_segments;
    travel_seconds numeric;
    broken_limit numeric;
    threshold numeric;
    kind text;
    violation uuid;
begin
    select p.* into strict entry from public.vehicle_passages p join public.checkposts c on c.id = p.checkpost_id
        where p.id in (one, other) order by p.recorded_at, c.position_index, p.id limit 1;
    select p.* into strict leaving from public.vehicle_passages p where p.id in (one, other) and p.id <> entry.id;
    select s.* into strict segment from public.highway_segments s where s.id = entry.segment_id;

    update public.vehicle_passages set matched_passage_id = leaving.id, is_entry = true where id = entry.id;
    update public.vehicle_passages set matched_passage_id = entry.id, is_entry = false where id = leaving.id;

    -- A late arrival can show that a passage with an alert was an exit; that alert is answered as well.
    update public.proactive_overstay_alerts
        set resolved = true, resolved_at = now(),
            resolved_by_passage_id = case entry_passage_id when entry.id then leaving.id else entry.id end
        where entry_passage_id in (entry.id, leaving.id) and not resolved;

    if 'untrusted' in (coalesce(entry.clock_state, ''), coalesce(leaving.clock_state, '')) then return null; end if;

    -- Products instead of quotients: nothing is rounded, so exactly on a threshold is no violation.
    -- Example: 45 km at 40 km/h is 4050 s; 4050 * 40 = 45 * 3600, not less.
    travel_seconds := extract(epoch from leaving.recorded_at - entry.recorded_at);
    if travel_seconds * checkpost.speeding_above(segment) < segment.distance_km * 3600 then
        kind := 'speeding';
        broken_limit := segment.max_speed_kmh;
        threshold := checkpost.speeding_above(segment);
    elsif travel_seconds * checkpost.overstay_below(segment) > segment.distance_km * 3600 then
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

create or replace function checkpost.check_overstay() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    made integer;
begin
    perform checkpost.lock_writes();
    perform checkpost.match_leftovers();
    perform checkpost.drop_old_logs();
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type,
        entry_time, expected_exit_by)
    select p.id, p.segment_id, p.plate_number, p.vehicle_type, p.recorded_at, p.recorded_at + checkpost.longest_time(s)
    from public.vehicle_passages p join public.highway_segments s on s.id = p.segment_id
    where p.matched_passage_id is null and p.recorded_at + checkpost.longest_time(s) < now()
        and p.clock_state is distinct from 'untrusted'
    on conflict (entry_passage_id) do nothing;
    get diagnostics made = row_count;
    return made;
end
$$;

create or replace function checkpost.excuse_partner(partner uuid, reason text) returns void
    language sql security definer set search_path = '' as $$
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
        expected_exit_by, resolved, resolved_at, resolved_by, resolved_reason)
    select p.id, p.segment_id, p.plate_number, p.vehicle_type, p.recorded_at, p.recorded_at + checkpost.longest_time(s),
        true, now(), coalesce((select u.full_name from public.user_profiles u where u.id = auth.uid()), 'the warden'), reason
    from public.vehicle_passages p join public.highway_segments s on s.id = p.segment_id
    where p.id = partner and p.matched_passage_id is null
    on conflict (entry_passage_id) do update set resolved = true, resolved_at = excluded.resolved_at,
        resolved_by = excluded.resolved_by, resolved_reason = excluded.resolved_reason
        where not proactive_overstay_alerts.resolved
$$;

create or replace function checkpost.resolve_alert(answer jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    entry public.vehicle_passages;
begin
    if checkpost.is_client() and not checkpost.is_signed_in() then
        raise exception 'the account is not active' using errcode = 'PT403';
    end if;
    if answer ->> 'client_id' is null or answer ->> 'resolved_at' is null then
        raise exception 'client_id and resolved_at are needed' using errcode = 'PT400';
    end if;
    perform checkpost.lock_writes();
    select p.* into entry from public.vehicle_passages p where p.client_id = (answer ->> 'client_id')::uuid;
    if not found then return jsonb_build_object('resolved', false, 'reason', 'there is no such passage'); end if;
    perform checkpost.require_post(entry.checkpost_id);
    insert into public.proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
        expected_exit_by, resolved, resolved_at, resolved_by, resolved_reason)
    select entry.id, entry.segment_id, entry.plate_number, entry.vehicle_type, entry.recorded_at,
        entry.recorded_at + checkpost.longest_time(s),
        true, (answer ->> 'resolved_at')::timestamptz, left(answer ->> 'acted_by', 200), left(answer ->> 'reason', 1000)
    from public.highway_segments s where s.id = entry.segment_id and entry.matched_passage_id is null
    on conflict (entry_passage_id) do update set resolved = true, resolved_at = excluded.resolved_at,
        resolved_by = excluded.resolved_by, resolved_reason = excluded.resolved_reason
        where not proactive_overstay_alerts.resolved;
    return jsonb_build_object('resolved', true);
end
$$;

revoke all on function checkpost.speeding_above(public.highway_segments), checkpost.overstay_below(public.highway_segments),
    checkpost.longest_time(public.highway_segments) from public, anon, authenticated, service_role;
