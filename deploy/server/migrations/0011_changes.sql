-- What a post changes afterwards: a plate that was misread, a passage that was none, an overstay alert that a ranger answers for.
-- Nothing is lost: what was there before stays in passage_changes, for the warden.

create table public.passage_changes (
    -- The device chooses it, so a change that is sent twice is made once.
    id uuid primary key,
    client_id uuid not null,
    -- Null when the passage was withdrawn.
    passage_id uuid references public.vehicle_passages on delete set null,
    checkpost_id uuid not null references public.checkposts on delete cascade,
    segment_id uuid not null references public.highway_segments on delete cascade,
    kind text not null check (kind in ('corrected', 'withdrawn')),
    old_plate_number text not null,
    new_plate_number text check ((kind = 'corrected') = (new_plate_number is not null)),
    reason text not null check (length(reason) between 1 and 1000),
    acted_by text check (length(acted_by) <= 200),
    changed_by uuid references public.user_profiles on delete set null,
    changed_at timestamptz not null check (isfinite(changed_at)),
    -- The passage and its violation as they were.
    old_passage jsonb not null,
    old_violation jsonb,
    created_at timestamptz not null default now(),
    server_seq bigint not null
);
create index passage_changes_client on public.passage_changes (client_id);
create index passage_changes_segment on public.passage_changes (segment_id, created_at desc);
create unique index passage_changes_server_seq on public.passage_changes (server_seq);

create trigger a_lock before insert or update or delete on public.passage_changes
    for each statement execute function checkpost.on_statement_lock();
create trigger z_number before insert or update on public.passage_changes
    for each row execute function checkpost.on_row_number();

alter table public.passage_changes enable row level security;
revoke all on public.passage_changes from public, anon, authenticated, service_role;
grant select on public.passage_changes to authenticated, service_role;
create policy segment_read on public.passage_changes for select to authenticated
    using (segment_id = (select checkpost.my_segment()) or (select checkpost.is_admin()));

alter table public.proactive_overstay_alerts
    add column resolved_by text check (length(resolved_by) <= 200),
    add column resolved_reason text check (length(resolved_reason) <= 1000);

-- Raises what a caller may not do at a passage of this checkpost.
create function checkpost.require_post(post uuid) returns void
    language plpgsql stable security definer set search_path = '' as $$
begin
    if checkpost.is_client() and not checkpost.is_admin() and checkpost.my_checkpost() is distinct from post then
        raise exception 'the passage is of another checkpost than the caller' using errcode = 'PT403';
    end if;
end
$$;

-- Takes back a match, with the violation that it was. A violation with an outcome is closed: somebody was fined or let go for it.
create function checkpost.unlink_passage(passage public.vehicle_passages) returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from public.violations v join public.violation_outcomes o on o.violation_id = v.id
        where passage.id in (v.entry_passage_id, v.exit_passage_id)) then
        raise exception 'the violation of this passage has an outcome: the warden decides' using errcode = 'PT409';
    end if;
    delete from public.violations v where passage.id in (v.entry_passage_id, v.exit_passage_id);
    update public.vehicle_passages set matched_passage_id = null where id in (passage.id, passage.matched_passage_id);
    -- An alert that this match had answered is open again; one of the passage itself told of a vehicle that it was not.
    update public.proactive_overstay_alerts
        set resolved = false, resolved_at = null, resolved_by_passage_id = null
        where entry_passage_id = passage.matched_passage_id and resolved_by_passage_id = passage.id;
    delete from public.proactive_overstay_alerts where entry_passage_id = passage.id;
end
$$;

-- The function `change-passage`: {id, client_id, sms_client_id?, plate_number or null, reason, acted_by?, changed_at}. Without a
-- plate the passage is withdrawn. Answers {changed, reason?}; sent again it changes nothing.
create function checkpost.change_passage(change jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    change_id uuid := change ->> 'id';
    plate text := change ->> 'plate_number';
    passage public.vehicle_passages;
begin
    if checkpost.is_client() and not checkpost.is_signed_in() then
        raise exception 'the account is not active' using errcode = 'PT403';
    end if;
    if change_id is null or change ->> 'client_id' is null or change ->> 'changed_at' is null
        or btrim(coalesce(change ->> 'reason', '')) = '' then
        raise exception 'id, client_id, reason and changed_at are needed' using errcode = 'PT400';
    end if;
    perform checkpost.lock_writes();
    if exists (select from public.passage_changes c where c.id = change_id) then
        return jsonb_build_object('changed', false, 'reason', 'it was made before');
    end if;
    select p.* into passage from public.vehicle_passages p
        where p.client_id = (change ->> 'client_id')::uuid
            or p.sms_client_id = (change ->> 'sms_client_id')::uuid
        order by p.client_id = (change ->> 'client_id')::uuid desc limit 1 for update;
    if not found then return jsonb_build_object('changed', false, 'reason', 'there is no such passage'); end if;
    perform checkpost.require_post(passage.checkpost_id);
    if checkpost.compact_plate(passage.plate_number) = checkpost.compact_plate(plate) then
        return jsonb_build_object('changed', false, 'reason', 'the plate is this already');
    end if;

    insert into public.passage_changes (id, client_id, passage_id, checkpost_id, segment_id, kind, old_plate_number,
        new_plate_number, reason, acted_by, changed_by, changed_at, old_passage, old_violation)
    values (change_id, (change ->> 'client_id')::uuid, passage.id, passage.checkpost_id, passage.segment_id,
        case when plate is null then 'withdrawn' else 'corrected' end, passage.plate_number, plate,
        left(change ->> 'reason', 1000), left(change ->> 'acted_by', 200),
        (select p.id from public.user_profiles p where p.id = auth.uid()), (change ->> 'changed_at')::timestamptz,
        to_jsonb(passage), (select to_jsonb(v) from public.violations v
            where passage.id in (v.entry_passage_id, v.exit_passage_id)));
    perform checkpost.unlink_passage(passage);
    if plate is null then
        delete from public.vehicle_passages where id = passage.id;
    else
        -- The trigger looks for another partner.
        update public.vehicle_passages set plate_number = plate where id = passage.id;
    end if;
    if passage.matched_passage_id is not null then perform checkpost.match_passage_by_id(passage.matched_passage_id); end if;
    return jsonb_build_object('changed', true);
end
$$;

-- The function `resolve-alert`: {client_id of the entry, resolved_at, reason?, acted_by?}. A ranger answers for a vehicle that stayed
-- too long (it left by the same post). Answers {resolved}. Where no alert was raised yet, none will be.
create function checkpost.resolve_alert(answer jsonb) returns jsonb
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
        entry.recorded_at + make_interval(secs => (s.distance_km * 3600 / s.min_speed_kmh)::double precision),
        true, (answer ->> 'resolved_at')::timestamptz, left(answer ->> 'acted_by', 200), left(answer ->> 'reason', 1000)
    from public.highway_segments s where s.id = entry.segment_id and entry.matched_passage_id is null
    on conflict (entry_passage_id) do update set resolved = true, resolved_at = excluded.resolved_at,
        resolved_by = excluded.resolved_by, resolved_reason = excluded.resolved_reason
        where not proactive_overstay_alerts.resolved;
    return jsonb_build_object('resolved', true);
end
$$;

revoke all on function checkpost.require_post(uuid), checkpost.unlink_passage(public.vehicle_passages),
    checkpost.change_passage(jsonb), checkpost.resolve_alert(jsonb) from public, anon, authenticated, service_role;
grant execute on function checkpost.change_passage(jsonb), checkpost.resolve_alert(jsonb) to authenticated, service_role;
