-- What a client may say of a passage: none makes or changes a copy on a further road of a post. A ranger's names a photo by the photo's own
-- place alone, takes none away from a violation, and never passes an upload off as a text. The rules' own changes run as the owner of the
-- tables. The trigger's name sorts before b_insert, which may end an insert by a merge.
-- Called by the trigger a_client of vehicle_passages.
create or replace function checkpost.on_passage_client() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if current_user in ('authenticated', 'service_role')
        and (new.copy_of is not null or (tg_op = 'UPDATE' and old.copy_of is not null)) then
        raise exception 'a copy follows its passage' using errcode = '42501', hint = 'Change the passage at the post that recorded it.';
    end if;
    if current_user <> 'authenticated' or checkpost.is_admin() then return new; end if;
    if tg_op = 'INSERT' and new.source = 'sms' then
        raise exception 'only the SMS gateway records passages of texts' using errcode = '42501';
    end if;
    -- Where its picture is, the other post and a court look by this name.
    if tg_op = 'UPDATE' and old.photo_path is not null and new.photo_path is distinct from old.photo_path and exists (
        select from public.violations v where new.id in (v.entry_passage_id, v.exit_passage_id)) then
        raise exception 'the passage of a violation keeps its photo' using errcode = '42501', hint = 'The warden may take it away.';
    end if;
    -- Some clients name the photo by the passage's client_id, or put it into a folder.
    if new.photo_path is not null and (tg_op = 'INSERT' or new.photo_path is distinct from old.photo_path)
        and lower(new.photo_path) !~ format('^([a-z0-9_-]+/){0,4}(%s|%s)\.(jpg|jpeg|png)$', new.id, new.client_id) then
        raise exception 'photo_path is not the place of this passage''s photo' using errcode = '23514',
            detail = format('It is passage-photos/%s.jpg, or ends with .jpeg or .png.', new.id);
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_client()
    from public, anon, authenticated, service_role, authenticator;
