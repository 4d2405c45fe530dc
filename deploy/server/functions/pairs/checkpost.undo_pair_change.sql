-- Takes back what judge_vehicles made: {id, of, reason, acted_by?}. Two that were parted may be paired again, and are where the walk says so;
-- a plate that was corrected to make a pair is again what it was, unless somebody has corrected it since. Answers {changed, reason?}; sent
-- again it changes nothing. For wardens and admins.
-- Called by the gateway.
create or replace function checkpost.undo_pair_change(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    why text := left(btrim(coalesce(word ->> 'reason', '')), 1000);
    made public.pair_changes;
    correction public.passage_changes;
    entry public.vehicle_passages;
    leaving public.vehicle_passages;
    corrected public.vehicle_passages;
begin
    if checkpost.is_client() and not checkpost.is_warden() then
        raise exception 'only a warden says which passages are one vehicle' using errcode = 'PT403';
    end if;
    if word ->> 'id' is null or why = '' then raise exception 'id and reason are needed' using errcode = 'PT400'; end if;
    select c.* into made from public.pair_changes c where c.id = (word ->> 'of')::uuid and c.kind <> 'undone';
    if not found then raise exception 'there is no such word' using errcode = 'PT404'; end if;
    select p.* into entry from public.vehicle_passages p where p.id = made.entry_passage_id;
    select p.* into leaving from public.vehicle_passages p where p.id = made.exit_passage_id;
    if entry.id is not null and leaving.id is not null then perform checkpost.lock_plates(entry, leaving); end if;
    perform from public.pair_changes c where c.id = made.id for update;
    if exists (select from public.pair_changes c where c.id = (word ->> 'id')::uuid) then
        return jsonb_build_object('changed', false, 'reason', 'it was made before');
    end if;
    select c.* into correction from public.passage_changes c where c.id = made.passage_change_id;
    select p.* into corrected from public.vehicle_passages p where p.id = correction.passage_id;
    -- A passage is gone, the word was taken back, or the plate is another by now.
    if entry.id is null or leaving.id is null or exists (select from public.pair_changes c where c.undoes = made.id)
        or made.kind = 'joined' and checkpost.compact_plate(corrected.plate_number)
            is distinct from checkpost.compact_plate(correction.new_plate_number)
        or made.kind = 'parted' and not checkpost.are_parted(entry.id, leaving.id) then
        raise exception 'it is decided already' using errcode = 'PT409', detail = 'error_gone';
    end if;

    if made.kind = 'joined' then
        perform checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', corrected.client_id,
            'plate_number', correction.old_plate_number, 'reason', why, 'acted_by', word ->> 'acted_by', 'changed_at', now()));
    else
        delete from checkpost.parted_pairs p where p.one = least(entry.id, leaving.id) and p.other = greatest(entry.id, leaving.id);
        perform checkpost.match_passage_by_id(entry.id), checkpost.match_passage_by_id(leaving.id);
    end if;
    perform checkpost.renew_look_alikes(entry.id, leaving.id);
    insert into public.pair_changes (id, kind, segment_id, entry_passage_id, exit_passage_id, entry_plate, exit_plate, undoes, reason,
        acted_by, changed_by)
    values ((word ->> 'id')::uuid, 'undone', made.segment_id, entry.id, leaving.id, made.entry_plate, made.exit_plate, made.id, why,
        left(word ->> 'acted_by', 200), (select u.id from public.user_profiles u where u.id = auth.uid()));
    return jsonb_build_object('changed', true);
end
$$;

revoke all on function checkpost.undo_pair_change(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.undo_pair_change(jsonb) to authenticated, service_role;
