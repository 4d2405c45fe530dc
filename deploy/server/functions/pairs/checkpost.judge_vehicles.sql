-- The word of a warden about two passages at the two ends of a segment: {id, one, other, verdict, plate?, reason, acted_by?}. `one` says that
-- they are one vehicle's trip and that `plate` (that of either) is right: change_passage corrects the other, and the walk of pairs_around
-- has to pair them. `two` says that two open ones are no trip, so that they are proposed no more; `part` says so of a pair, which is taken
-- back with its violation. Answers {changed, reason?}; sent again it changes nothing. For wardens and admins. Decision note 0305.
-- Called by the gateway.
create or replace function checkpost.judge_vehicles(word jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    why text := left(btrim(coalesce(word ->> 'reason', '')), 1000);
    entry public.vehicle_passages;
    leaving public.vehicle_passages;
    plate text;
    correction uuid;
    fallen jsonb;
begin
    if checkpost.is_client() and not checkpost.is_warden() then
        raise exception 'only a warden says which passages are one vehicle' using errcode = 'PT403';
    end if;
    if word ->> 'id' is null or coalesce(word ->> 'verdict', '') not in ('one', 'two', 'part') or why = '' then
        raise exception 'id, verdict and reason are needed' using errcode = 'PT400';
    end if;
    select p.* into entry from public.vehicle_passages p
        where p.id = checkpost.entry_of((word ->> 'one')::uuid, (word ->> 'other')::uuid);
    select p.* into leaving from public.vehicle_passages p
        where p.id in ((word ->> 'one')::uuid, (word ->> 'other')::uuid) and p.id <> entry.id;
    if entry.id is null or leaving.id is null then raise exception 'no such passages' using errcode = 'PT404'; end if;
    -- The plates before the rows, as everywhere; then as they are now.
    perform checkpost.lock_plates(entry, leaving);
    if exists (select from public.pair_changes c where c.id = (word ->> 'id')::uuid) then
        return jsonb_build_object('changed', false, 'reason', 'it was made before');
    end if;
    perform from public.vehicle_passages p where p.id in (entry.id, leaving.id) order by p.id for update;
    select p.* into entry from public.vehicle_passages p where p.id = entry.id;
    select p.* into leaving from public.vehicle_passages p where p.id = leaving.id;
    if entry.segment_id is distinct from leaving.segment_id or entry.checkpost_id = leaving.checkpost_id then
        raise exception 'the passages are not of the two posts of one segment' using errcode = 'PT422', detail = 'error_pair_posts';
    end if;
    -- Whoever was faster: another partner, or this word already.
    if checkpost.are_parted(entry.id, leaving.id)
        or word ->> 'verdict' = 'part' and entry.matched_passage_id is distinct from leaving.id
        or word ->> 'verdict' <> 'part' and coalesce(entry.matched_passage_id, leaving.matched_passage_id) is not null then
        raise exception 'it is decided already' using errcode = 'PT409', detail = 'error_gone';
    end if;

    if word ->> 'verdict' <> 'one' then
        -- An outcome that is being recorded at this moment comes first or not at all.
        perform from public.violations v where entry.id in (v.entry_passage_id, v.exit_passage_id) for update;
        select to_jsonb(v) into fallen from public.violations v where entry.id in (v.entry_passage_id, v.exit_passage_id);
        insert into checkpost.parted_pairs (one, other) values (least(entry.id, leaving.id), greatest(entry.id, leaving.id));
        if entry.matched_passage_id is not null then
            perform set_config('checkpost.reason', why, true), checkpost.part_passages(entry.id, leaving.id);
            perform checkpost.match_passage_by_id(entry.id), checkpost.match_passage_by_id(leaving.id);
            perform set_config('checkpost.reason', '', true);
        end if;
        perform checkpost.renew_look_alikes(entry.id, leaving.id);
    else
        plate := checkpost.compact_plate(coalesce(word ->> 'plate', entry.plate_number));
        if plate not in (checkpost.compact_plate(entry.plate_number), checkpost.compact_plate(leaving.plate_number)) then
            raise exception 'neither passage has that plate' using errcode = 'PT409', detail = 'error_gone';
        end if;
        if not checkpost.is_whole_plate(plate) then
            raise exception 'the plate was read in part' using errcode = 'PT422', detail = 'error_pair_partial';
        end if;
        select gen_random_uuid() into correction
            where checkpost.compact_plate(entry.plate_number) <> checkpost.compact_plate(leaving.plate_number);
        if correction is null then
            perform checkpost.match_passage_by_id(entry.id);
        else
            perform checkpost.change_passage(jsonb_build_object('id', correction, 'plate_number', plate, 'reason', why,
                'acted_by', word ->> 'acted_by', 'changed_at', now(), 'client_id',
                case when checkpost.compact_plate(entry.plate_number) = plate then leaving.client_id else entry.client_id end));
        end if;
        -- Whatever lies between them has to be corrected first: a hand makes no pair that the passages contradict.
        if not exists (select from public.vehicle_passages p where p.id = entry.id and p.matched_passage_id = leaving.id) then
            raise exception 'the vehicle was seen in between, went the other way, or took longer than the matching window'
                using errcode = 'PT422', detail = 'error_pair_walk';
        end if;
    end if;

    insert into public.pair_changes (id, kind, segment_id, entry_passage_id, exit_passage_id, entry_plate, exit_plate,
        passage_change_id, old_violation, reason, acted_by, changed_by)
    values ((word ->> 'id')::uuid, case word ->> 'verdict' when 'one' then 'joined' else 'parted' end, entry.segment_id, entry.id,
        leaving.id, entry.plate_number, leaving.plate_number, correction, fallen, why, left(word ->> 'acted_by', 200),
        (select u.id from public.user_profiles u where u.id = auth.uid()));
    return jsonb_build_object('changed', true);
end
$$;

revoke all on function checkpost.judge_vehicles(jsonb)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.judge_vehicles(jsonb) to authenticated, service_role;
