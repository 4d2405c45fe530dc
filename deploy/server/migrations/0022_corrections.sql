-- What is corrected is judged anew, and kept as it was. Whoever changes a recorded fact (the warden by hand, a post by
-- `change-passage`, an upload that completes the row of its SMS), the match, the violation and the alerts follow, an audit row says who
-- changed what from what to what and why, and evidence that falls away stays readable.

-- Violations that fell away, with their outcomes and with both passages as they were.
create table public.withdrawn_violations (
    -- The violation's own id.
    id uuid primary key,
    -- No references: a passage may be withdrawn too.
    entry_passage_id uuid not null,
    exit_passage_id uuid not null,
    segment_id uuid not null references public.highway_segments on delete cascade,
    violation jsonb not null,
    -- What a ranger did about it; null when nobody had done anything.
    outcome jsonb,
    entry_passage jsonb,
    exit_passage jsonb,
    reason text not null,
    -- Null when a program did it.
    withdrawn_by uuid references public.user_profiles on delete set null,
    withdrawn_at timestamptz not null default now(),
    server_seq bigint not null
);
create index withdrawn_violations_segment on public.withdrawn_violations (segment_id, withdrawn_at desc);
create unique index withdrawn_violations_server_seq on public.withdrawn_violations (server_seq);
create trigger a_lock before insert or update or delete on public.withdrawn_violations
    for each statement execute function checkpost.on_statement_lock();
create trigger z_number before insert or update on public.withdrawn_violations
    for each row execute function checkpost.on_row_number();
alter table public.withdrawn_violations enable row level security;
revoke all on public.withdrawn_violations from public, anon, authenticated, service_role;
grant select on public.withdrawn_violations to authenticated, service_role;
create policy segment_read on public.withdrawn_violations for select to authenticated
    using (segment_id = (select checkpost.my_segment()) or (select checkpost.is_admin()));

-- Why this transaction changes what it changes.
create function checkpost.change_reason() returns text
    language sql stable set search_path = '' as $$
    select coalesce(nullif(current_setting('checkpost.reason', true), ''), 'changed directly, no reason was given')
$$;

-- Before, since the outcome goes with its violation.
create function checkpost.on_violation_gone() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.withdrawn_violations (id, entry_passage_id, exit_passage_id, segment_id, violation, outcome,
        entry_passage, exit_passage, reason, withdrawn_by)
    values (old.id, old.entry_passage_id, old.exit_passage_id, old.segment_id, to_jsonb(old),
        (select to_jsonb(o) from public.violation_outcomes o where o.violation_id = old.id),
        (select to_jsonb(p) from public.vehicle_passages p where p.id = old.entry_passage_id),
        (select to_jsonb(p) from public.vehicle_passages p where p.id = old.exit_passage_id),
        checkpost.change_reason(), (select u.id from public.user_profiles u where u.id = auth.uid()))
    on conflict (id) do nothing;
    return old;
end
$$;
create trigger b_keep before delete on public.violations
    for each row execute function checkpost.on_violation_gone();

-- What the rules compute, nobody writes.
revoke insert, update on public.violations from authenticated, service_role;
grant update (alert_delivered_at) on public.violations to authenticated, service_role;
revoke update on public.vehicle_passages from authenticated, service_role;
revoke update (id, client_id, server_received_at, source, created_at, sms_client_id, photo_sha256)
    on public.vehicle_passages from authenticated, service_role;
grant update (plate_number, plate_number_raw, vehicle_type, checkpost_id, segment_id, recorded_at, ranger_id, photo_path,
    acted_by, confidence, clock_state) on public.vehicle_passages to authenticated, service_role;
revoke update on public.proactive_overstay_alerts from authenticated, service_role;
grant update (resolved, resolved_at, resolved_by, resolved_reason) on public.proactive_overstay_alerts
    to authenticated, service_role;

-- From and to: the whole row.
alter table public.passage_changes add column new_passage jsonb;

-- Takes back a match, with the violation that it was.
create or replace function checkpost.unlink_passage(passage public.vehicle_passages) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    delete from public.violations v where passage.id in (v.entry_passage_id, v.exit_passage_id);
    update public.vehicle_passages set matched_passage_id = null where id in (passage.id, passage.matched_passage_id);
    -- An alert that this match had answered is open again; one of the passage itself told of a vehicle that it was not.
    update public.proactive_overstay_alerts
        set resolved = false, resolved_at = null, resolved_by_passage_id = null
        where entry_passage_id = passage.matched_passage_id and resolved_by_passage_id = passage.id;
    delete from public.proactive_overstay_alerts where entry_passage_id = passage.id;
end
$$;

create function checkpost.on_passage_facts() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    is_moved boolean := (checkpost.compact_plate(old.plate_number), old.recorded_at, old.checkpost_id, old.segment_id)
        is distinct from (checkpost.compact_plate(new.plate_number), new.recorded_at, new.checkpost_id, new.segment_id);
    is_trust_changed boolean := coalesce(old.clock_state = 'untrusted', false) <> coalesce(new.clock_state = 'untrusted', false);
    person public.user_profiles;
    passage public.vehicle_passages;
    entry public.vehicle_passages;
begin
    -- `change-passage` writes its own row, under the id that the device gave it.
    if coalesce(current_setting('checkpost.audited', true), '') <> new.id::text then
        select * into person from public.user_profiles u where u.id = auth.uid();
        insert into public.passage_changes (id, client_id, passage_id, checkpost_id, segment_id, kind, old_plate_number,
            new_plate_number, reason, acted_by, changed_by, changed_at, old_passage, old_violation, new_passage)
        values (gen_random_uuid(), new.client_id, new.id, new.checkpost_id, new.segment_id, 'corrected', old.plate_number,
            new.plate_number, checkpost.change_reason(), left(person.full_name, 200), person.id, now(), to_jsonb(old),
            (select to_jsonb(v) from public.violations v where new.id in (v.entry_passage_id, v.exit_passage_id)),
            to_jsonb(new));
    end if;

    if is_moved then
        -- What was matched in between, by a trigger that ran before, is taken back too.
        select * into passage from public.vehicle_passages p where p.id = new.id;
        perform checkpost.unlink_passage(passage);
        perform checkpost.match_passage_by_id(new.id);
        if passage.matched_passage_id is not null then
            perform checkpost.match_passage_by_id(passage.matched_passage_id);
        end if;
    elsif new.matched_passage_id is not null and is_trust_changed then
        delete from public.violations v where new.id in (v.entry_passage_id, v.exit_passage_id);
        select * into entry from public.vehicle_passages p where p.id in (new.id, new.matched_passage_id) and p.is_entry;
        select * into passage from public.vehicle_passages p where p.id in (new.id, new.matched_passage_id) and not p.is_entry;
        perform checkpost.judge_pair(entry, passage);
    elsif is_trust_changed then
        -- A time that nobody trusts has no deadline; one that is trusted again gets an alert when it is due.
        delete from public.proactive_overstay_alerts where entry_passage_id = new.id and not resolved;
    end if;
    -- The type decides nothing: the violation only shows it.
    update public.violations set vehicle_type = new.vehicle_type
        where entry_passage_id = new.id and vehicle_type <> new.vehicle_type;
    return null;
end
$$;
drop trigger m_rematch on public.vehicle_passages;
-- A clock state that was unknown and turns out trusted is no news: every upload that completes an SMS brings one.
create trigger m_facts after update of plate_number, recorded_at, checkpost_id, segment_id, clock_state, vehicle_type
    on public.vehicle_passages for each row
    when ((old.plate_number, old.recorded_at, old.checkpost_id, old.segment_id, old.vehicle_type)
            is distinct from (new.plate_number, new.recorded_at, new.checkpost_id, new.segment_id, new.vehicle_type)
        or (old.clock_state is distinct from new.clock_state and (old.clock_state is not null or new.clock_state = 'untrusted')))
    execute function checkpost.on_passage_facts();

-- As before; beside the plate the warden may change recorded_at, clock_state and vehicle_type. A post may not take back the
-- passage of a violation that has an outcome: somebody was fined or let go for it, and the warden decides.
create or replace function checkpost.change_passage_of_post(change jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    change_id uuid := change ->> 'id';
    plate text := change ->> 'plate_number';
    changed_at timestamptz := change ->> 'changed_at';
    is_warden boolean := not checkpost.is_client() or checkpost.is_admin();
    passage public.vehicle_passages;
    changed public.vehicle_passages;
begin
    if checkpost.is_client() and not checkpost.is_signed_in() then
        raise exception 'the account is not active' using errcode = 'PT403';
    end if;
    if change_id is null or change ->> 'client_id' is null or changed_at is null
        or btrim(coalesce(change ->> 'reason', '')) = '' then
        raise exception 'id, client_id, reason and changed_at are needed' using errcode = 'PT400';
    end if;
    perform checkpost.lock_writes();
    if exists (select from public.passage_changes c where c.id = change_id) then
        return jsonb_build_object('changed', false, 'reason', 'it was made before');
    end if;
    -- The id of a text names a passage of the caller's own post only: another post may claim anything.
    select p.* into passage from public.vehicle_passages p
        where p.client_id = (change ->> 'client_id')::uuid
            or (p.sms_client_id = (change ->> 'sms_client_id')::uuid
                and (is_warden or p.checkpost_id = checkpost.my_checkpost()))
        order by p.client_id = (change ->> 'client_id')::uuid desc limit 1 for update;
    if not found then return jsonb_build_object('changed', false, 'reason', 'there is no such passage'); end if;
    perform checkpost.require_post(passage.checkpost_id);
    if not is_warden and change ?| array['recorded_at', 'clock_state', 'vehicle_type'] then
        raise exception 'a post changes a plate only' using errcode = 'PT403';
    end if;
    changed := jsonb_populate_record(passage, jsonb_strip_nulls(jsonb_build_object('recorded_at', change -> 'recorded_at',
        'clock_state', change -> 'clock_state', 'vehicle_type', change -> 'vehicle_type')));
    if checkpost.compact_plate(passage.plate_number) = checkpost.compact_plate(plate)
        and changed is not distinct from passage then
        return jsonb_build_object('changed', false, 'reason', 'the plate is this already');
    end if;
    if not is_warden and exists (select from public.violations v join public.violation_outcomes o on o.violation_id = v.id
        where passage.id in (v.entry_passage_id, v.exit_passage_id)) then
        raise exception 'the violation of this passage has an outcome: the warden decides' using errcode = 'PT409';
    end if;
    changed.plate_number := coalesce(plate, changed.plate_number);

    insert into public.passage_changes (id, client_id, passage_id, checkpost_id, segment_id, kind, old_plate_number,
        new_plate_number, reason, acted_by, changed_by, changed_at, old_passage, old_violation, new_passage)
    values (change_id, (change ->> 'client_id')::uuid, passage.id, passage.checkpost_id, passage.segment_id,
        case when plate is null then 'withdrawn' else 'corrected' end, passage.plate_number, plate,
        left(change ->> 'reason', 1000), left(change ->> 'acted_by', 200),
        (select p.id from public.user_profiles p where p.id = auth.uid()), changed_at,
        to_jsonb(passage), (select to_jsonb(v) from public.violations v
            where passage.id in (v.entry_passage_id, v.exit_passage_id)),
        case when plate is not null then to_jsonb(changed) end);
    perform set_config('checkpost.reason', left(change ->> 'reason', 1000), true),
        set_config('checkpost.audited', passage.id::text, true);
    if plate is null then
        perform checkpost.unlink_passage(passage);
        delete from public.vehicle_passages where id = passage.id;
        if passage.matched_passage_id is not null then
            perform checkpost.match_passage_by_id(passage.matched_passage_id);
        end if;
    else
        -- The trigger judges anew.
        update public.vehicle_passages set plate_number = changed.plate_number, recorded_at = changed.recorded_at,
            clock_state = changed.clock_state, vehicle_type = changed.vehicle_type where id = passage.id;
    end if;
    perform set_config('checkpost.reason', '', true), set_config('checkpost.audited', '', true);
    return jsonb_build_object('changed', true);
end
$$;

-- Completes the row of an SMS with its upload, as before. A text has no room for the clock's state, so the upload's counts, and
-- whatever was judged meanwhile is judged anew.
create or replace function checkpost.merge_upload(upload public.vehicle_passages) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    stored public.vehicle_passages;
begin
    select p.* into stored from public.vehicle_passages p
        where p.source = 'sms' and p.client_id = p.sms_client_id and p.checkpost_id = upload.checkpost_id
            -- Post and second are the row's own, whatever the upload claims. The plate may have been corrected in between.
            and p.recorded_at = date_trunc('second', upload.recorded_at)
            and (p.sms_client_id = upload.sms_client_id
                or checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(upload.plate_number))
        order by p.sms_client_id is not distinct from upload.sms_client_id desc, p.created_at limit 1;
    -- The same client_id means a repeated upload: let the insert run into its unique constraint.
    if not found or exists (select from public.vehicle_passages p where p.client_id = upload.client_id) then
        return false;
    end if;
    perform set_config('checkpost.reason', 'the upload of the SMS says otherwise', true);
    update public.vehicle_passages p set
        client_id = upload.client_id,
        plate_number_raw = coalesce(p.plate_number_raw, upload.plate_number_raw),
        ranger_id = coalesce(p.ranger_id, upload.ranger_id),
        photo_path = coalesce(p.photo_path, upload.photo_path),
        acted_by = coalesce(p.acted_by, upload.acted_by),
        confidence = coalesce(p.confidence, upload.confidence),
        clock_state = coalesce(upload.clock_state, p.clock_state),
        photo_sha256 = coalesce(p.photo_sha256, upload.photo_sha256)
        where p.id = stored.id;
    perform set_config('checkpost.reason', '', true), set_config('checkpost.merged',
        concat_ws(',', nullif(current_setting('checkpost.merged', true), ''), stored.id::text), true);
    return true;
end
$$;

-- Photos are evidence. The warden sees those of passages that are gone, too; a post neither deletes one nor takes its name away.
create or replace function checkpost.may_read_photo(name text) returns boolean
    language sql stable security definer set search_path = '' as $$
    select (checkpost.is_admin() and checkpost.photo_passage_id(name) is not null)
        or exists (select from public.vehicle_passages p where p.id = checkpost.photo_passage_id(name)
            and p.segment_id = checkpost.my_segment())
$$;

create or replace function checkpost.on_passage_client() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if current_user <> 'authenticated' or checkpost.is_admin() then return new; end if;
    if tg_op = 'INSERT' and new.source = 'sms' then
        raise exception 'only the SMS gateway records passages of texts' using errcode = '42501';
    end if;
    if tg_op = 'UPDATE' and old.photo_path is not null and new.photo_path is null and exists (
        select from public.violations v where new.id in (v.entry_passage_id, v.exit_passage_id)) then
        raise exception 'the passage of a violation keeps its photo' using errcode = '42501', hint = 'The warden may take it away.';
    end if;
    -- Some clients name the photo by the passage's client_id, or put it into a folder.
    if new.photo_path is not null and (tg_op = 'INSERT' or new.photo_path is distinct from old.photo_path)
        and lower(new.photo_path) !~ format('^([a-z0-9_-]+/){0,4}(%s|%s)\.(jpg|jpeg|png)$', new.id, new.client_id) then
        raise exception 'photo_path is not the place of this passage''s photo' using errcode = '23514',
            detail = format('It is passage-photos/%s.jpg, or ends with .jpeg or .png.', new.id);
    end if;
    return new;
end
$$;

revoke all on function checkpost.change_reason(), checkpost.on_violation_gone(), checkpost.on_passage_facts()
    from public, anon, authenticated, service_role;
