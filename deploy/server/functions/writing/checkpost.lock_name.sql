-- Locks a name to the end of the transaction. One that holds a thousand (an import) takes the one lock instead that all others share.
-- Called by lock_arrival, lock_plate, lock_plates and on_passage_match.
create or replace function checkpost.lock_name(kind integer, name text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    held integer := coalesce(nullif(current_setting('checkpost.names_locked', true), ''), '0')::integer;
begin
    if held > 1000 then return; end if;
    perform set_config('checkpost.names_locked', (held + 1)::text, true);
    if held = 1000 then
        perform pg_advisory_xact_lock(7216, 0);
    else
        if held = 0 then perform pg_advisory_xact_lock_shared(7216, 0); end if;
        perform pg_advisory_xact_lock(kind, hashtext(name));
    end if;
end
$$;

revoke all on function checkpost.lock_name(integer, text)
    from public, anon, authenticated, service_role, authenticator;
