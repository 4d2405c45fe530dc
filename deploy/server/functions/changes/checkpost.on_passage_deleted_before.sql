-- An upload of what was deleted is answered with 409: the post shows the passage as deleted and doesn't send it again. An admin who stores
-- it again means it. The trigger's name sorts before b_insert, which may end an insert by a merge.
-- Called by the trigger a_deleted of vehicle_passages.
create or replace function checkpost.on_passage_deleted_before() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    -- Whether a passage may come back is decided for the passage: its copies follow it.
    if new.copy_of is not null then
        delete from public.deleted_passages d where d.checkpost_id = new.checkpost_id and d.client_id = new.client_id;
        return new;
    end if;
    if not checkpost.is_deleted_passage(new.checkpost_id, new.client_id, new.sms_client_id) then return new; end if;
    if checkpost.is_admin() then
        delete from public.deleted_passages d where d.checkpost_id = new.checkpost_id
            and (d.client_id in (new.client_id, new.sms_client_id) or d.sms_client_id in (new.client_id, new.sms_client_id));
        return new;
    end if;
    raise exception 'the passage was deleted at the server' using errcode = 'PT409', detail = 'deleted_passages',
        hint = 'A warden can take the deletion back: its row in deleted_passages.';
end
$$;

revoke all on function checkpost.on_passage_deleted_before()
    from public, anon, authenticated, service_role, authenticator;
