-- What a passage is before it is stored: who may record it, what clients may not set, its segment, and whether it completes the row of a
-- text instead. Such a merge takes the place of an insert, so the rule of the insert policy is checked here too.
-- Called by the trigger b_insert of vehicle_passages.
create or replace function checkpost.on_passage_insert() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    segment uuid;
begin
    if checkpost.is_client() and new.copy_of is null then
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
        if new.copy_of is null and exists (select from public.checkposts c where c.id = new.checkpost_id and c.stands_at is not null) then
            raise exception 'that is a further road of a post: a passage is recorded at the post itself' using errcode = '23514';
        end if;
        new.segment_id := coalesce(new.segment_id, segment);
        if new.segment_id <> segment then
            raise exception 'the checkpost is not on that segment' using errcode = '23514',
                detail = format('Checkpost %s is on segment %s.', new.checkpost_id, segment);
        end if;
    end if;
    if new.copy_of is null and new.source <> 'sms' and checkpost.merge_upload(new) then return null; end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_insert()
    from public, anon, authenticated, service_role, authenticator;
