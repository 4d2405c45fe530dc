-- Whose a text is. The id of a text counts for the post, the plate and the second that the text itself names: no post can silence
-- another's. A text whose time is far from its arrival is trusted by nobody, and one whose passage was deleted does not make it anew.

-- Two posts may hold the same id; only one of them can have the text. Named as before: devices read 23505 on sms_client_id.
alter table public.vehicle_passages
    drop constraint vehicle_passages_sms_client_id_key,
    add constraint vehicle_passages_sms_client_id_key unique (sms_client_id, checkpost_id);

-- The row of a text has the text's own id (UUID v5), which anybody can compute: no client gives it to a row of its own.
create function checkpost.on_passage_id() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if current_user <> 'authenticated' or checkpost.is_admin() then return new; end if;
    if substring(new.id::text, 15, 1) = '5' or substring(new.client_id::text, 15, 1) = '5' then
        raise exception 'ids of version 5 are those of texts' using errcode = '23514', hint = 'A client_id is a UUID v4.';
    end if;
    return new;
end
$$;
create trigger a_id before insert on public.vehicle_passages
    for each row execute function checkpost.on_passage_id();

-- A claim on a text that belongs to another second of the same post says nothing; it would only be in the way of the text's own row.
-- The name sorts after b_insert, which merges an upload with its text.
create function checkpost.on_passage_claim() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if new.source <> 'sms' and exists (select from public.vehicle_passages p where p.sms_client_id = new.sms_client_id
        and p.checkpost_id = new.checkpost_id
        and date_trunc('second', p.recorded_at) <> date_trunc('second', new.recorded_at)) then
        new.sms_client_id := null;
    end if;
    return new;
end
$$;
create trigger c_claim before insert on public.vehicle_passages
    for each row when (new.sms_client_id is not null) execute function checkpost.on_passage_claim();

-- Whether a text's passage was deleted or withdrawn here, by the text's id or by post, plate and second.
create or replace function checkpost.is_withdrawn_text(message text) returns boolean
    language sql stable security definer set search_path = '' as $$
    with text as (
        select checkpost.uuid_v5(checkpost.sms_namespace(), message) as id, p.id as post, split_part(message, '|', 3) as plate,
            to_timestamp(split_part(message, '|', 5)::double precision) as moment
        from public.checkposts p
        where p.code = split_part(message, '|', 2) and checkpost.sms_problem(message) is null
    )
    select exists (select from text t join checkpost.withdrawn_texts w on w.sms_client_id = t.id and w.checkpost_id = t.post)
        or exists (select from text t join public.deleted_passages d on d.checkpost_id = t.post
            where (d.sms_client_id = t.id and date_trunc('second', d.recorded_at) = t.moment)
                or (d.recorded_at >= t.moment and d.recorded_at < t.moment + interval '1 second'
                    and checkpost.compact_plate(d.plate_number) = t.plate))
        or exists (
            select from text t join public.passage_changes c on c.checkpost_id = t.post and c.kind = 'withdrawn'
            where (c.old_passage ->> 'sms_client_id')::uuid = t.id
                or (checkpost.compact_plate(c.old_passage ->> 'plate_number') = t.plate
                    and (c.old_passage ->> 'recorded_at')::timestamptz >= t.moment
                    and (c.old_passage ->> 'recorded_at')::timestamptz < t.moment + interval '1 second'))
$$;

-- A text says nothing of the clock. One that arrives before its time was written by a clock that is ahead; one that comes later than any
-- match is looked for may have been. The upload tells, and what it corrects is judged anew.
create function checkpost.text_clock(moment timestamptz) returns text
    language sql stable set search_path = '' as $$
    select case when moment > now() + interval '5 minutes' or moment < now() - checkpost.window_length() then 'untrusted' end
$$;

create or replace function checkpost.record_wanted_sms(message text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    problem text := checkpost.sms_problem(message);
    field text[] := string_to_array(message, '|');
    post public.checkposts;
    moment timestamptz;
    identity uuid := checkpost.uuid_v5(checkpost.sms_namespace(), message);
    known uuid;
    ranger uuid;
begin
    if problem is not null then return jsonb_build_object('result', 'refused', 'reason', problem); end if;
    select * into post from public.checkposts where code = field[2];
    if not found then
        return jsonb_build_object('result', 'refused', 'reason', 'unknown checkpost');
    end if;
    moment := to_timestamp(field[5]::double precision);

    perform checkpost.lock_writes();
    -- By the text's id, or by the plate where the upload came without one.
    select p.id into known from public.vehicle_passages p
        where p.checkpost_id = post.id and p.recorded_at >= moment and p.recorded_at < moment + interval '1 second'
            and (p.sms_client_id = identity or checkpost.compact_plate(p.plate_number) = field[3])
        order by p.sms_client_id is not distinct from identity desc, p.recorded_at limit 1;
    if found then
        update public.vehicle_passages set sms_client_id = identity where id = known and sms_client_id is null;
        return jsonb_build_object('result', 'repeated', 'passage_id', known);
    end if;
    -- A passage of another second claimed this text; or the text's own row was given another time.
    select p.id into known from public.vehicle_passages p where p.id = identity and p.checkpost_id = post.id;
    if found then return jsonb_build_object('result', 'repeated', 'passage_id', known); end if;
    update public.vehicle_passages set sms_client_id = null where sms_client_id = identity and checkpost_id = post.id;

    -- The suffix names the ranger only if one account of the post ends with it.
    select min(u.id::text)::uuid into ranger from public.user_profiles u
        where u.assigned_checkpost_id = post.id and u.is_active
            and right(regexp_replace(u.phone_number, '\D', '', 'g'), length(field[6])) = field[6]
        having count(*) = 1;
    insert into public.vehicle_passages (id, client_id, sms_client_id, plate_number, vehicle_type, checkpost_id,
        segment_id, recorded_at, ranger_id, source, clock_state)
    values (identity, identity, identity, field[3], checkpost.sms_vehicle_type(field[4]), post.id, post.segment_id, moment,
        ranger, 'sms', checkpost.text_clock(moment));
    return jsonb_build_object('result', 'inserted', 'passage_id', identity);
end
$$;

revoke all on function checkpost.on_passage_id(), checkpost.on_passage_claim(), checkpost.text_clock(timestamptz)
    from public, anon, authenticated, service_role;
