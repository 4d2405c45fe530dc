-- The server's match is the one that counts: which two passages belong together, and whether they make a violation.

-- Links entry and exit, judges them and returns the id of the violation, or null when there is none. Both must be locked
-- and unmatched. The order of the arguments does not matter.
create function checkpost.link_passages(one uuid, other uuid) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    entry public.vehicle_passages;
    leaving public.vehicle_passages;
    segment public.highway_segments;
    travel_seconds numeric;
    broken_limit numeric;
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

    -- Products instead of quotients: nothing is rounded, so exactly on a limit is no violation.
    -- Example: 45 km at 40 km/h is 4050 s; 4050 * 40 = 45 * 3600, not less.
    travel_seconds := extract(epoch from leaving.recorded_at - entry.recorded_at);
    if travel_seconds * segment.max_speed_kmh < segment.distance_km * 3600 then
        kind := 'speeding';
        broken_limit := segment.max_speed_kmh;
    elsif travel_seconds * segment.min_speed_kmh > segment.distance_km * 3600 then
        kind := 'overstay';
        broken_limit := segment.min_speed_kmh;
    else
        return null;
    end if;

    insert into public.violations (entry_passage_id, exit_passage_id, segment_id, violation_type, plate_number,
        vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes, calculated_speed_kmh,
        speed_limit_kmh, distance_km)
    values (entry.id, leaving.id, segment.id, kind, entry.plate_number, entry.vehicle_type, entry.recorded_at,
        leaving.recorded_at, travel_seconds / 60, segment.distance_km * 60 / broken_limit,
        segment.distance_km * 3600 / nullif(travel_seconds, 0), broken_limit, segment.distance_km)
    returning id into violation;
    return violation;
end
$$;

-- Looks for the passage that belongs to this one and links both. Returns whether it found one.
--
-- `skip locked`: a row that somebody holds by hand must not stop a passage from being recorded. Other
-- writers never hold one here, since they wait for the lock on writes; checkpost.match_leftovers catches what was skipped.
-- `no key update` instead of `update`: a reference to the row (an alert) does not count as holding it.
create function checkpost.match_passage_by_id(passage_id uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    passage public.vehicle_passages;
    partner uuid;
    span interval := checkpost.window_length();
begin
    perform checkpost.lock_writes();
    select p.* into passage from public.vehicle_passages p
        where p.id = passage_id and p.matched_passage_id is null for no key update skip locked;
    if not found then return false; end if;
    select p.id into partner from public.vehicle_passages p
        where p.segment_id = passage.segment_id and p.checkpost_id <> passage.checkpost_id
            and checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(passage.plate_number)
            and p.matched_passage_id is null
            and p.recorded_at between passage.recorded_at - span and passage.recorded_at + span
        order by abs(extract(epoch from p.recorded_at - passage.recorded_at)), p.recorded_at, p.id
        limit 1 for no key update skip locked;
    if not found then return false; end if;
    perform checkpost.link_passages(passage.id, partner);
    return true;
end
$$;

create function checkpost.on_passage_match() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.match_passage_by_id(new.id);
    return null;
end
$$;

create trigger m_match after insert on public.vehicle_passages
    for each row execute function checkpost.on_passage_match();
-- A plate or a time that the warden corrected may fit another passage now.
create trigger m_rematch after update of plate_number, recorded_at, checkpost_id, segment_id on public.vehicle_passages
    for each row when (new.matched_passage_id is null
        and (new.plate_number, new.recorded_at, new.checkpost_id, new.segment_id)
            is distinct from (old.plate_number, old.recorded_at, old.checkpost_id, old.segment_id))
    execute function checkpost.on_passage_match();

-- Matches what the trigger had to skip. Returns how many pairs it linked.
create function checkpost.match_leftovers() returns integer
    language plpgsql security definer set search_path = '' as $$
declare
    passage uuid;
    linked integer := 0;
    span interval := checkpost.window_length();
begin
    perform checkpost.lock_writes();
    for passage in
        select p.id from public.vehicle_passages p
        where p.matched_passage_id is null and exists (
            select from public.vehicle_passages o
            where o.segment_id = p.segment_id and o.checkpost_id <> p.checkpost_id and o.matched_passage_id is null
                and checkpost.compact_plate(o.plate_number) = checkpost.compact_plate(p.plate_number)
                and o.recorded_at between p.recorded_at - span and p.recorded_at + span)
        order by p.recorded_at, p.id limit 1000
    loop
        if checkpost.match_passage_by_id(passage) then linked := linked + 1; end if;
    end loop;
    return linked;
end
$$;

-- The function `match-passage`: a device proposes a match. An error with SQLSTATE PTnnn is meant for HTTP as status nnn.
create function checkpost.match_passage(entry_passage_id uuid, exit_passage_id uuid) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    one public.vehicle_passages;
    other public.vehicle_passages;
    violation uuid;
begin
    if checkpost.is_client() and not checkpost.is_signed_in() then
        raise exception 'the account is not active' using errcode = 'PT403';
    end if;
    if entry_passage_id is null or exit_passage_id is null or entry_passage_id = exit_passage_id then
        raise exception 'two different passages are needed' using errcode = 'PT400';
    end if;
    perform checkpost.lock_writes();
    -- In the order of their ids, so that two callers with the same pair never wait for each other.
    select * into one from public.vehicle_passages
        where id = least(entry_passage_id, exit_passage_id) for no key update;
    select * into other from public.vehicle_passages
        where id = greatest(entry_passage_id, exit_passage_id) for no key update;
    if one.id is null or other.id is null then
        raise exception 'no such passage' using errcode = 'PT404';
    end if;
    if checkpost.is_client() and not checkpost.is_admin()
        and (checkpost.my_segment() is null
            or checkpost.my_segment() is distinct from one.segment_id
            or checkpost.my_segment() is distinct from other.segment_id) then
        raise exception 'the passages are of another segment than the caller' using errcode = 'PT403';
    end if;
    if one.matched_passage_id is not null or other.matched_passage_id is not null then
        raise exception 'a passage is matched already' using errcode = 'PT409';
    end if;
    if one.segment_id <> other.segment_id then
        raise exception 'the passages are of different segments' using errcode = 'PT422';
    end if;
    if one.checkpost_id = other.checkpost_id then
        raise exception 'the passages are of the same checkpost' using errcode = 'PT422';
    end if;
    if checkpost.compact_plate(one.plate_number) <> checkpost.compact_plate(other.plate_number) then
        raise exception 'the plates differ' using errcode = 'PT422';
    end if;
    violation := checkpost.link_passages(one.id, other.id);
    return jsonb_build_object('matched', true, 'violation',
        (select to_jsonb(v) from public.violations v where v.id = violation));
end
$$;
