-- What may be changed about a stored passage: a ranger changes its photo_path alone, and post and segment stay
-- together for everybody.
-- Called by the trigger b_change of vehicle_passages.
create or replace function checkpost.on_passage_change() returns trigger
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

revoke all on function checkpost.on_passage_change()
    from public, anon, authenticated, service_role, authenticator;
