-- Completes the row of a text with its upload. Returns whether the upload is thereby stored. The row is found by sms_client_id or, for a
-- client that doesn't send one, by the same post, plate and second (one vehicle can't pass twice in one second). It keeps its id, its
-- recorded_at and whatever it has; it takes the upload's client_id and what it lacked. A text has no room for the clock's state, so the
-- upload's counts, and whatever was judged meanwhile is judged anew; an upload that names the text says whose number it came from. A repeated
-- upload that names a text which is still under way leaves that name with its row: the text may come after the plate was corrected.
-- Called by on_passage_insert.
create or replace function checkpost.merge_upload(upload public.vehicle_passages) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    stored public.vehicle_passages;
    known public.vehicle_passages;
begin
    select p.* into stored from public.vehicle_passages p
        where p.source = 'sms' and p.client_id = p.sms_client_id and p.checkpost_id = upload.checkpost_id
            -- Post and second are the row's own, whatever the upload claims. The plate may have been corrected in between.
            and p.recorded_at = date_trunc('second', upload.recorded_at)
            and (p.sms_client_id = upload.sms_client_id
                or checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(upload.plate_number))
        order by p.sms_client_id is not distinct from upload.sms_client_id desc, p.created_at limit 1;
    if not found then
        update public.vehicle_passages p set sms_client_id = upload.sms_client_id
            where p.client_id = upload.client_id and p.checkpost_id = upload.checkpost_id and p.sms_client_id is null
                and date_trunc('second', p.recorded_at) = date_trunc('second', upload.recorded_at) and upload.sms_client_id is not null
            returning p.* into known;
        if not found then return false; end if;
        perform checkpost.tell_merged(known.id);
        return true;
    end if;
    if stored.sms_client_id = upload.sms_client_id then
        perform checkpost.learn_number(stored.checkpost_id, m.sender, stored.sms_client_id, stored.id) from public.sms_messages m
            where m.passage_id = stored.id and m.result = 'inserted';
    end if;
    select p.* into known from public.vehicle_passages p where p.client_id = upload.client_id;
    if found then
        -- A repeated upload: the insert runs into its unique constraint. Where it brings the id of a text that found no row of its own,
        -- since the plate was corrected in between, the text's row is the same vehicle once more.
        if stored.sms_client_id is distinct from upload.sms_client_id or known.checkpost_id <> stored.checkpost_id then return false; end if;
        perform checkpost.join_text(known, stored);
        perform checkpost.tell_merged(known.id);
        return true;
    end if;
    perform set_config('checkpost.reason', 'the upload of the SMS says otherwise', true);
    update public.vehicle_passages p set
        client_id = upload.client_id,
        -- A stranger's guess of the same plate and second says nothing of the type either.
        vehicle_type = case when upload.sms_client_id <> stored.sms_client_id then upload.vehicle_type else p.vehicle_type end,
        plate_number_raw = coalesce(p.plate_number_raw, upload.plate_number_raw),
        ranger_id = coalesce(p.ranger_id, upload.ranger_id),
        photo_path = coalesce(p.photo_path, upload.photo_path),
        acted_by = coalesce(p.acted_by, upload.acted_by),
        confidence = coalesce(p.confidence, upload.confidence),
        clock_state = coalesce(upload.clock_state, p.clock_state),
        photo_sha256 = coalesce(p.photo_sha256, upload.photo_sha256),
        travel = coalesce(p.travel, upload.travel)
        where p.id = stored.id;
    perform set_config('checkpost.reason', '', true), checkpost.tell_merged(stored.id);
    -- Proven now, whatever its clock; and of equal times the client_id decides.
    perform checkpost.match_passage_by_id(stored.id);
    -- The text could not say that the vehicle had left the road: it is no entry.
    delete from public.proactive_overstay_alerts a using public.vehicle_passages p
        where p.id = stored.id and p.travel = 'leaving' and a.entry_passage_id = p.id and not a.resolved;
    return true;
end
$$;

revoke all on function checkpost.merge_upload(public.vehicle_passages)
    from public, anon, authenticated, service_role, authenticator;
