-- Networks deliver a text hours late. One whose passage was withdrawn meanwhile must not make it anew.

-- Passages that were withdrawn before the server had anything of them: all that may still come is their text.
create table checkpost.withdrawn_texts (
    -- What the text is known by.
    sms_client_id uuid not null,
    -- Whose text it is: no post can silence another's.
    checkpost_id uuid not null references public.checkposts on delete cascade,
    created_at timestamptz not null default now(),
    primary key (sms_client_id, checkpost_id)
);

-- `change-passage` as before; a withdrawal of what is not here yet is remembered for its text.
alter function checkpost.change_passage(jsonb) rename to change_known_passage;
create function checkpost.change_passage(change jsonb) returns jsonb
    language plpgsql security definer set search_path = '' as $$
declare
    answer jsonb := checkpost.change_known_passage(change);
begin
    if change ->> 'plate_number' is null and answer ->> 'reason' = 'there is no such passage' then
        insert into checkpost.withdrawn_texts (sms_client_id, checkpost_id)
        select (change ->> 'sms_client_id')::uuid, checkpost.my_checkpost()
            where change ->> 'sms_client_id' is not null and checkpost.my_checkpost() is not null
        on conflict do nothing;
    end if;
    return answer;
end
$$;

-- Whether the passage of a V1 text was withdrawn, by the text's id or, where the upload came without one, by post, plate and second.
create function checkpost.is_withdrawn_text(message text) returns boolean
    language sql stable security definer set search_path = '' as $$
    with text as (
        select checkpost.uuid_v5(checkpost.sms_namespace(), message) as id, p.id as post, split_part(message, '|', 3) as plate,
            to_timestamp(split_part(message, '|', 5)::double precision) as moment
        from public.checkposts p
        where p.code = split_part(message, '|', 2) and split_part(message, '|', 5) ~ '^[0-9]{9,11}$'
    )
    select exists (select from text t join checkpost.withdrawn_texts w on w.sms_client_id = t.id and w.checkpost_id = t.post)
        or exists (
            select from text t join public.passage_changes c on c.checkpost_id = t.post and c.kind = 'withdrawn'
            where (c.old_passage ->> 'sms_client_id')::uuid = t.id
                or (checkpost.compact_plate(c.old_passage ->> 'plate_number') = t.plate
                    and (c.old_passage ->> 'recorded_at')::timestamptz >= t.moment
                    and (c.old_passage ->> 'recorded_at')::timestamptz < t.moment + interval '1 second'))
$$;
create index passage_changes_withdrawn on public.passage_changes (checkpost_id) where kind = 'withdrawn';

alter function checkpost.record_sms(text) rename to record_wanted_sms;
create function checkpost.record_sms(message text) returns jsonb
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.lock_writes();
    if checkpost.is_withdrawn_text(message) then
        return jsonb_build_object('result', 'refused', 'reason', 'the passage was withdrawn');
    end if;
    return checkpost.record_wanted_sms(message);
end
$$;

revoke all on checkpost.withdrawn_texts from public, anon, authenticated, service_role;
revoke all on function checkpost.change_known_passage(jsonb), checkpost.change_passage(jsonb), checkpost.is_withdrawn_text(text),
    checkpost.record_wanted_sms(text), checkpost.record_sms(text)
    from public, anon, authenticated, service_role;
grant execute on function checkpost.change_passage(jsonb) to authenticated, service_role;
