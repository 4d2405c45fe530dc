-- The row of a text has the text's own id (UUID v5), which anybody can compute: no client gives it to a row of its own. Nor does one give
-- the id of a row that is gone: a picture and what was changed are kept under it.
-- Called by the trigger a_id of vehicle_passages.
create or replace function checkpost.on_passage_id() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if current_user <> 'authenticated' or checkpost.is_admin() then return new; end if;
    if substring(new.id::text, 15, 1) = '5' or substring(new.client_id::text, 15, 1) = '5' then
        raise exception 'ids of version 5 are those of texts' using errcode = '23514', hint = 'A client_id is a UUID v4.';
    end if;
    if checkpost.is_gone_row(new.id) then
        raise exception 'the id is that of a passage that is gone' using errcode = '23514', hint = 'Leave the id to the server.';
    end if;
    return new;
end
$$;

revoke all on function checkpost.on_passage_id()
    from public, anon, authenticated, service_role, authenticator;
