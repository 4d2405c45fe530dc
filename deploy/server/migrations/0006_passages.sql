-- What becomes of a passage before it is stored: what clients may not set, and the merge of an SMS with its upload.
--
-- One vehicle, one row. The row that an SMS makes has an id that follows from its text (UUID v5), and the device sends the same
-- id as sms_client_id with the upload. Whichever comes first makes the row; the other one completes it.

-- The namespace of those ids: part of the contract with every device, never to be changed.
create function checkpost.sms_namespace() returns uuid
    language sql immutable parallel safe
    return '6f1c9a52-3f0e-5d5b-9c1a-7b5f0f6f2e11'::uuid;

-- UUID v5 (RFC 9562) of a text's UTF-8 bytes: the first 16 bytes of SHA-1 over namespace and name, with version and
-- variant set. Example: in the DNS namespace, www.example.com is 2ed6657d-e927-568b-95e1-2665a8aea6a2.
create function checkpost.uuid_v5(namespace uuid, name text) returns uuid
    language plpgsql immutable strict set search_path = '' as $$
declare
    hash bytea := extensions.digest(uuid_send(namespace) || convert_to(name, 'UTF8'), 'sha1');
begin
    hash := set_byte(hash, 6, (get_byte(hash, 6) & 15) | 80);
    hash := set_byte(hash, 8, (get_byte(hash, 8) & 63) | 128);
    return encode(substring(hash from 1 for 16), 'hex')::uuid;
end
$$;

-- Completes the row of an SMS with its upload. Returns whether the upload is thereby stored.
--
-- The row is found by sms_client_id or, for a client that doesn't send one, by the same post, plate and second (one vehicle
-- can't pass twice in one second). It keeps its id, its recorded_at and whatever it has; it takes the upload's client_id and what it lacked. The ids of rows completed in this
-- transaction are left in the setting checkpost.merged, so that a gateway can return them: a trigger that
-- suppresses the insert has no other way to name the row.
create function checkpost.merge_upload(upload public.vehicle_passages) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    stored public.vehicle_passages;
begin
    select p.* into stored from public.vehicle_passages p
        where p.source = 'sms' and p.client_id = p.sms_client_id and p.checkpost_id = upload.checkpost_id
            and (p.sms_client_id = upload.sms_client_id
                or (checkpost.compact_plate(p.plate_number) = checkpost.compact_plate(upload.plate_number)
                    and p.recorded_at = date_trunc('second', upload.recorded_at)))
        order by p.sms_client_id is not distinct from upload.sms_client_id desc, p.created_at limit 1;
    -- The same client_id means a repeated upload: let the insert run into its unique constraint.
    if not found or exists (select from public.vehicle_passages p where p.client_id = upload.client_id) then
        return false;
    end if;
    update public.vehicle_passages p set
        client_id = upload.client_id,
        plate_number_raw = coalesce(p.plate_number_raw, upload.plate_number_raw),
        ranger_id = coalesce(p.ranger_id, upload.ranger_id),
        photo_path = coalesce(p.photo_path, upload.photo_path),
        acted_by = coalesce(p.acted_by, upload.acted_by),
        confidence = coalesce(p.confidence, upload.confidence),
        clock_state = coalesce(p.clock_state, upload.clock_state),
        photo_sha256 = coalesce(p.photo_sha256, upload.photo_sha256)
        where p.id = stored.id;
    perform set_config('checkpost.merged',
        concat_ws(',', nullif(current_setting('checkpost.merged', true), ''), stored.id::text), true);
    return true;
end
$$;

-- A merge takes the place of an insert, so the rule of the insert policy is checked here.
create function checkpost.on_passage_insert() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    segment uuid;
begin
    if checkpost.is_client() then
        new.created_at := now();
        new.server_received_at := now();
        if not checkpost.is_admin() then
            new.ranger_id := coalesce(new.ranger_id, auth.uid());
            if checkpost.my_checkpost() is distinct from new.checkpost_id
                or new.ranger_id is distinct from auth.uid() then
                raise exception 'new row violates row-level security policy for table "vehicle_passages"'
                    using errcode = '42501', detail = 'A ranger records passages as itself at its own checkpost.';
            end if;
        end if;
    end if;
    new.matched_passage_id := null;
    new.is_entry := null;

    select c.segment_id into segment from public.checkposts c where c.id = new.checkpost_id;
    if found then
        new.segment_id := coalesce(new.segment_id, segment);
        if new.segment_id <> segment then
            raise exception 'the checkpost is not on that segment' using errcode = '23514',
                detail = format('Checkpost %s is on segment %s.', new.checkpost_id, segment);
        end if;
    end if;
    if new.source <> 'sms' and checkpost.merge_upload(new) then return null; end if;
    return new;
end
$$;
create trigger b_insert before insert on public.vehicle_passages
    for each row execute function checkpost.on_passage_insert();

create function checkpost.on_passage_change() returns trigger
    language plpgsql set search_path = '' as $$
declare
    before_photo public.vehicle_passages := old;
    after_photo public.vehicle_passages := new;
begin
    -- The other passage of a match was deleted: this one is open again.
    if new.matched_passage_id is null then new.is_entry := null; end if;

    -- The rules' own updates run as the owner of the tables; a client's run as the client.
    if current_user = 'authenticated' and not checkpost.is_admin() then
        before_photo.photo_path := null;
        after_photo.photo_path := null;
        if before_photo is distinct from after_photo then
            raise exception 'a ranger changes nothing about a passage but its photo_path' using errcode = '42501';
        end if;
    end if;
    if (new.checkpost_id, new.segment_id) is distinct from (old.checkpost_id, old.segment_id)
        and not exists (select from public.checkposts c
            where c.id = new.checkpost_id and c.segment_id = new.segment_id) then
        raise exception 'the checkpost is not on that segment' using errcode = '23514';
    end if;
    return new;
end
$$;
create trigger b_change before update on public.vehicle_passages
    for each row execute function checkpost.on_passage_change();

create function checkpost.sms_vehicle_type(code text) returns text
    language sql immutable strict as $$
    select case code
        when 'CAR' then 'car' when 'JSV' then 'jeep_suv' when 'MNB' then 'minibus' when 'BUS' then 'bus'
        when 'TRK' then 'truck' when 'TNK' then 'tanker' when 'MCY' then 'motorcycle' when 'ARK' then 'auto_rickshaw'
        when 'TRC' then 'tractor' when 'OTH' then 'other'
        -- Codes that earlier posts sent.
        when 'JEP' then 'jeep_suv' when 'MOT' then 'motorcycle' when 'MTK' then 'truck' when 'AUT' then 'auto_rickshaw'
    end
$$;

-- Stores what a V1 text says and returns {result, reason, passage_id}; result is inserted, repeated or refused.
create function checkpost.record_sms(message text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    field text[] := string_to_array(message, '|');
    post public.checkposts;
    kind text;
    moment timestamptz;
    identity uuid := checkpost.uuid_v5(checkpost.sms_namespace(), message);
    known uuid;
    ranger uuid;
begin
    if field[1] is distinct from 'V1' then
        return jsonb_build_object('result', 'refused', 'reason', 'not a V1 message');
    end if;
    if cardinality(field) <> 6 then
        return jsonb_build_object('result', 'refused', 'reason', 'a V1 message has six fields');
    end if;
    -- Each pipe counts as two of an SMS's 160 septets.
    if length(message) + 5 > 160 then
        return jsonb_build_object('result', 'refused', 'reason', 'longer than 160 septets');
    end if;
    if field[3] !~ '^[A-Z0-9]{1,16}$' then
        return jsonb_build_object('result', 'refused', 'reason', 'the plate is not compact Latin');
    end if;
    kind := checkpost.sms_vehicle_type(field[4]);
    if kind is null then
        return jsonb_build_object('result', 'refused', 'reason', 'unknown vehicle type');
    end if;
    if field[5] !~ '^[0-9]{9,11}$' then
        return jsonb_build_object('result', 'refused', 'reason', 'the time is not in epoch seconds');
    end if;
    if field[6] !~ '^[0-9]{1,4}$' then
        return jsonb_build_object('result', 'refused', 'reason', 'the phone suffix is not one to four digits');
    end if;
    select * into post from public.checkposts where code = field[2];
    if not found then
        return jsonb_build_object('result', 'refused', 'reason', 'unknown checkpost');
    end if;
    moment := to_timestamp(field[5]::double precision);

    perform checkpost.lock_writes();
    select p.id into known from public.vehicle_passages p where p.sms_client_id = identity or p.id = identity limit 1;
    if found then
        return jsonb_build_object('result', 'repeated', 'passage_id', known);
    end if;
    -- The upload came first, without the id of its SMS.
    select p.id into known from public.vehicle_passages p
        where p.checkpost_id = post.id and checkpost.compact_plate(p.plate_number) = field[3]
            and p.recorded_at >= moment and p.recorded_at < moment + interval '1 second'
        order by p.recorded_at limit 1;
    if found then
        update public.vehicle_passages set sms_client_id = identity where id = known and sms_client_id is null;
        return jsonb_build_object('result', 'repeated', 'passage_id', known);
    end if;

    -- The suffix names the ranger only if one account of the post ends with it.
    select min(u.id::text)::uuid into ranger from public.user_profiles u
        where u.assigned_checkpost_id = post.id and u.is_active
            and right(regexp_replace(u.phone_number, '\D', '', 'g'), length(field[6])) = field[6]
        having count(*) = 1;
    insert into public.vehicle_passages (id, client_id, sms_client_id, plate_number, vehicle_type, checkpost_id,
        segment_id, recorded_at, ranger_id, source)
    values (identity, identity, identity, field[3], kind, post.id, post.segment_id, moment, ranger, 'sms');
    return jsonb_build_object('result', 'inserted', 'passage_id', identity);
end
$$;

-- The function `sms-webhook`, after its signature was checked. `sender` is recorded, not judged: the SIM in the box is
-- no ranger's phone. Every message is kept with what became of it; one delivered again under its message_sid is kept once.
create function checkpost.receive_sms(message text, sender text, message_sid text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    -- Networks add white space at the ends; the text of a device has none there, and its id is that of the text.
    outcome jsonb := checkpost.record_sms(regexp_replace(coalesce(message, ''), '^\s+|\s+$', '', 'g'));
begin
    insert into public.sms_messages (message_sid, sender, body, result, reason, passage_id)
    values (left(nullif(message_sid, ''), 100), left(sender, 100), left(coalesce(message, ''), 1700),
        outcome ->> 'result', outcome ->> 'reason', (outcome ->> 'passage_id')::uuid)
    on conflict do nothing;
    return outcome;
end
$$;
