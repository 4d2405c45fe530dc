-- Stores what a V1 text says and returns {result, reason, passage_id}; result is inserted, repeated or refused. Where an upload has named this
-- text before, confirmed_post says of which post. One vehicle, one row: the row of a text has an id that follows from the text (UUID v5), and
-- the device sends the same one as sms_client_id with its upload. Whichever comes first makes the row; the other one completes it. A text
-- that comes after its passage was withdrawn makes none. One from the post's own number vouches for the row that a stranger's text made.
-- signed_clock is the state of the clock that a signed text told of this passage; null when nothing was signed. A signed text vouches also for a
-- row that somebody made of a guess. An unsigned one in the name of a post that signs says so in its reason.
-- Called by receive_sms and record_signed_sms.
create or replace function checkpost.record_sms(message text, sender text, signed_clock text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    problem text := checkpost.sms_problem(message);
    field text[] := string_to_array(message, '|');
    post public.checkposts;
    moment timestamptz;
    identity uuid := checkpost.uuid_v5(checkpost.sms_namespace(), message);
    known uuid;
    is_named boolean;
    ranger uuid;
    clock text;
    doubt jsonb := '{}';
begin
    if problem is not null then return jsonb_build_object('result', 'refused', 'reason', problem); end if;
    select * into post from public.checkposts where code = field[2] and stands_at is null;
    if not found then
        return jsonb_build_object('result', 'refused', 'reason', 'unknown checkpost');
    end if;
    moment := to_timestamp(field[5]::double precision);
    if signed_clock is null and checkpost.signs_texts(post.id) then
        doubt := jsonb_build_object('reason', 'the post signs its texts and this one is not signed: it counts for nothing before its upload');
    end if;

    -- Before anything is looked for, so that a text and its upload that arrive together find each other.
    perform checkpost.lock_arrival(post.id, field[3], moment);
    if checkpost.is_withdrawn_text(message) then
        return jsonb_build_object('result', 'refused', 'reason', 'the passage was withdrawn');
    end if;
    -- By the text's id, or by the plate where the upload came without one.
    -- Once a text has found a passage by its plate, the passage has the text's id, too: only the first one shows what the upload said.
    select p.id, p.sms_client_id is not distinct from identity and p.client_id <> identity
            and not exists (select from public.sms_messages m where m.passage_id = p.id) into known, is_named
        from public.vehicle_passages p
        where p.checkpost_id = post.id and p.recorded_at >= moment and p.recorded_at < moment + interval '1 second'
            and (p.sms_client_id = identity or checkpost.compact_plate(p.plate_number) = field[3])
        order by p.sms_client_id is not distinct from identity desc, p.recorded_at limit 1;
    if found then
        update public.vehicle_passages set sms_client_id = identity where id = known and sms_client_id is null;
        perform set_config('checkpost.reason',
            case when signed_clock is null then 'a text from the number of the post' else 'a text that the post has signed' end, true);
        clock := checkpost.text_clock(moment, post.id, sender, signed_clock);
        -- What a guess made is the post's own passage from here on, with the post's own id.
        update public.vehicle_passages p set clock_state = clock,
            vehicle_type = case when signed_clock is null then p.vehicle_type else checkpost.sms_vehicle_type(field[4]) end,
            client_id = case when signed_clock is null then p.client_id else identity end,
            sms_client_id = case when signed_clock is null then p.sms_client_id else identity end
            where p.id = known and (p.id = identity or signed_clock is not null)
                and checkpost.is_unproven_text(p.client_id, p.clock_state) and clock is distinct from 'untrusted';
        perform set_config('checkpost.reason', '', true);
        return jsonb_build_object('result', 'repeated', 'passage_id', known,
            'confirmed_post', case when is_named and signed_clock is null then post.id end) || doubt;
    end if;
    -- A passage of another second claimed this text; or the text's own row was given another time.
    select p.id into known from public.vehicle_passages p where p.id = identity and p.checkpost_id = post.id;
    if found then return jsonb_build_object('result', 'repeated', 'passage_id', known) || doubt; end if;
    -- Or an upload had brought this text's passage, and its time was put right since.
    select p.id into known from public.vehicle_passages p join public.passage_changes c on c.client_id = p.client_id
        where p.sms_client_id = identity and p.checkpost_id = post.id and (c.old_passage ->> 'sms_client_id')::uuid = identity
            and (c.old_passage ->> 'recorded_at')::timestamptz >= moment
            and (c.old_passage ->> 'recorded_at')::timestamptz < moment + interval '1 second' limit 1;
    if found then return jsonb_build_object('result', 'repeated', 'passage_id', known) || doubt; end if;
    update public.vehicle_passages set sms_client_id = null where sms_client_id = identity and checkpost_id = post.id;

    -- The suffix names the ranger only if one account of the post ends with it.
    select min(u.id::text)::uuid into ranger from public.user_profiles u
        where u.assigned_checkpost_id = post.id and u.is_active
            and right(regexp_replace(u.phone_number, '\D', '', 'g'), length(field[6])) = field[6]
        having count(*) = 1;
    insert into public.vehicle_passages (id, client_id, sms_client_id, plate_number, vehicle_type, checkpost_id,
        segment_id, recorded_at, ranger_id, source, clock_state)
    values (identity, identity, identity, field[3], checkpost.sms_vehicle_type(field[4]), post.id, post.segment_id, moment,
        ranger, 'sms', checkpost.text_clock(moment, post.id, sender, signed_clock));
    return jsonb_build_object('result', 'inserted', 'passage_id', identity) || doubt;
end
$$;

revoke all on function checkpost.record_sms(text, text, text)
    from public, anon, authenticated, service_role, authenticator;
