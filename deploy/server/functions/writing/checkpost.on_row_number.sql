-- Numbers a row that is written, so that readers can follow. An update that changes nothing is no news to them.
-- Called by the triggers z_number of tables with server_seq.
create or replace function checkpost.on_row_number() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    -- An update that changes nothing is no news to a reader.
    if tg_op = 'UPDATE' and new is not distinct from old then return new; end if;
    new.server_seq := checkpost.next_number();
    return new;
end
$$;

revoke all on function checkpost.on_row_number()
    from public, anon, authenticated, service_role, authenticator;
