-- The function `change-passage`: {id, client_id, sms_client_id?, plate_number or null, reason, acted_by?, changed_at}. Without a plate the
-- passage is withdrawn. A warden may change recorded_at, clock_state and vehicle_type as well. Answers {changed, reason?}; sent again it
-- changes nothing; a post's older word changes nothing that a warden said later. A post may not take back the passage of a violation that has an outcome: somebody was fined or let go for it, and the
-- warden decides.
-- Called by check_change, judge_vehicles, public.change_passage and undo_pair_change.
create or replace function checkpost.change_passage(change jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    change_id uuid := change ->> 'id';
    plate text := change ->> 'plate_number';
    changed_at timestamptz := change ->> 'changed_at';
    -- Its copies on other roads go with it.
    family uuid[];
    partners uuid[];
    copy public.vehicle_passages;
    is_warden boolean := not checkpost.is_client() or checkpost.is_warden();
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

    -- Who changes a copy means its passage.
    change := change || coalesce((select jsonb_build_object('client_id', o.client_id)
        from public.vehicle_passages p join public.vehicle_passages o on o.id = p.copy_of
        where p.client_id = (change ->> 'client_id')::uuid), '{}');
    -- The plate before the row, as everywhere.
    select p.* into passage from public.vehicle_passages p
        where p.client_id = (change ->> 'client_id')::uuid or p.sms_client_id = (change ->> 'sms_client_id')::uuid
        order by p.client_id = (change ->> 'client_id')::uuid desc limit 1;
    if found then
        changed := passage;
        changed.plate_number := coalesce(plate, passage.plate_number);
        perform checkpost.lock_plates(passage, changed);
        -- And those of its copies, in the order in which they are changed.
        for copy in select * from public.vehicle_passages c where c.copy_of = passage.id order by c.checkpost_id loop
            changed.segment_id := copy.segment_id;
            perform checkpost.lock_plates(copy, changed);
        end loop;
    end if;
    if exists (select from public.passage_changes c where c.id = change_id) then
        return jsonb_build_object('changed', false, 'reason', 'it was made before');
    end if;
    -- The id of a text names a passage of the caller's own post only: another post may claim anything.
    select p.* into passage from public.vehicle_passages p
        where p.client_id = (change ->> 'client_id')::uuid
            or (p.sms_client_id = (change ->> 'sms_client_id')::uuid
                and (is_warden or p.checkpost_id = checkpost.my_checkpost()))
        order by p.client_id = (change ->> 'client_id')::uuid desc limit 1 for update;
    if not found then
        -- Its text may still come, and must not make the passage anew.
        if plate is null then
            insert into checkpost.withdrawn_texts (sms_client_id, checkpost_id)
            select (change ->> 'sms_client_id')::uuid, checkpost.my_checkpost()
                where change ->> 'sms_client_id' is not null and checkpost.my_checkpost() is not null
            on conflict do nothing;
        end if;
        return jsonb_build_object('changed', false, 'reason', 'there is no such passage');
    end if;
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
    -- A post's word may be long on its way: what a warden said later stands. The row gets a new number, so that the post sees what holds. A time
    -- before the passage is of a clock that says nothing.
    if not is_warden and plate is not null and (change ->> 'changed_at')::timestamptz >= passage.recorded_at
        and exists (select from public.passage_changes c
            where (c.client_id = passage.client_id or c.passage_id = passage.id) and checkpost.is_word(c)
                and c.changed_by is not null and not checkpost.is_rangers(c.changed_by)
                and c.changed_at > (change ->> 'changed_at')::timestamptz) then
        update public.vehicle_passages set server_seq = 0 where id = passage.id;
        return jsonb_build_object('changed', false, 'reason', 'a warden corrected it later');
    end if;
    -- An outcome that is being recorded at this moment comes first or not at all.
    family := checkpost.with_copies(passage.id);
    perform from public.violations v where v.entry_passage_id = any (family) or v.exit_passage_id = any (family) for update;
    if not is_warden and exists (select from public.violations v join public.violation_outcomes o on o.violation_id = v.id
        where v.entry_passage_id = any (family) or v.exit_passage_id = any (family)) then
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
        partners := array(select p.matched_passage_id from public.vehicle_passages p where p.id = any (family) and p.matched_passage_id is not null);
        perform checkpost.unlink_passage(p) from public.vehicle_passages p where p.id = any (family);
        delete from public.vehicle_passages where id = passage.id;
        -- A post that withdraws what it misread says that the vehicle was not there: then its partner has not come out.
        if is_warden then
            perform checkpost.excuse_partner(q, 'the passage that it was matched with was withdrawn') from unnest(partners) q;
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

revoke all on function checkpost.change_passage(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.change_passage(jsonb) to authenticated, service_role;
