-- Values that no honest client sends: times of no passage, numbers that are none.

-- A time that every client can read. A box whose clock was lost may be decades off: its passages are kept, and make no violation
-- on an untrusted clock. A trigger leaves older rows alone; its name sorts before b_insert, which may end an insert by a merge.
create function checkpost.on_passage_time() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if new.recorded_at < timestamptz '1970-01-01 00:00:00+00' or new.recorded_at >= timestamptz '2100-01-01 00:00:00+00' then
        raise exception 'recorded_at is before 1970 or after 2099' using errcode = '23514',
            detail = format('The time is %s.', new.recorded_at);
    end if;
    return new;
end
$$;
create trigger a_time before insert or update of recorded_at on public.vehicle_passages
    for each row execute function checkpost.on_passage_time();

-- What a box sends: Latin letters and digits, and ? for one that could not be read. A trigger leaves the rows alone that were stored
-- before it, also when a photo or a match is added to them.
create function checkpost.on_passage_plate() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if checkpost.compact_plate(new.plate_number) !~ '^[A-Z0-9?]{2,16}$' then
        raise exception 'plate_number is not 2 to 16 Latin letters, digits and ?' using errcode = '23514';
    end if;
    return new;
end
$$;
create trigger a_plate before insert or update of plate_number on public.vehicle_passages
    for each row execute function checkpost.on_passage_plate();

-- As before; a text whose passage the tables refuse is kept as refused, like one that can't be read.
create or replace function checkpost.receive_sms(message text, sender text, message_sid text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    outcome jsonb;
    complaint text;
begin
    begin
        -- Networks add white space at the ends; the text of a device has none there, and its id is that of the text.
        outcome := checkpost.record_sms(regexp_replace(coalesce(message, ''), '^\s+|\s+$', '', 'g'));
    exception when check_violation then
        get stacked diagnostics complaint = message_text;
        outcome := jsonb_build_object('result', 'refused', 'reason', complaint);
    end;
    insert into public.sms_messages (message_sid, sender, body, result, reason, passage_id)
    values (left(nullif(message_sid, ''), 100), left(sender, 100), left(coalesce(message, ''), 1700),
        outcome ->> 'result', outcome ->> 'reason', (outcome ->> 'passage_id')::uuid)
    on conflict do nothing;
    return outcome;
end
$$;

-- In PostgreSQL NaN equals itself and is greater than every number, so `> 0` lets it pass. A trigger and no check: the generated
-- minutes are worked out before any check, and would divide by zero.
create function checkpost.on_segment_numbers() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if not (new.distance_km > 0 and new.distance_km < 10000) then
        raise exception 'distance_km is not a distance' using errcode = '23514';
    end if;
    if not (new.max_speed_kmh > 0 and new.max_speed_kmh < 1000) then
        raise exception 'max_speed_kmh is not a speed' using errcode = '23514';
    end if;
    if not (new.min_speed_kmh > 0 and new.min_speed_kmh < 1000) then
        raise exception 'min_speed_kmh is not a speed' using errcode = '23514';
    end if;
    return new;
end
$$;
create trigger b_numbers before insert or update on public.highway_segments
    for each row execute function checkpost.on_segment_numbers();

alter table public.violation_outcomes
    add constraint violation_outcomes_fine_finite check (fine_amount <> 'NaN' and fine_amount < 'Infinity') not valid;

-- What a box reads as a number or as a text. Other keys are none of this server's business.
alter table public.device_settings
    add constraint device_settings_types check (
        not jsonb_path_exists(settings,
            '$.keyvalue() ? ((@.key starts with "sync." || @.key == "matching.window_hours") && @.value.type() != "number")',
            '{}', true)
        and coalesce(jsonb_typeof(settings -> 'sms.gateway_number'), 'string') = 'string') not valid;

revoke all on function checkpost.on_passage_time(), checkpost.on_passage_plate(), checkpost.on_segment_numbers()
    from public, anon, authenticated, service_role;
