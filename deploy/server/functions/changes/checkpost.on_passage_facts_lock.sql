-- Locks the plates of a correction before the row itself is locked anew, and before the search for a partner.
-- Called by the trigger a_plates of vehicle_passages.
create or replace function checkpost.on_passage_facts_lock() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.lock_plates(old, new);
    return new;
end
$$;

revoke all on function checkpost.on_passage_facts_lock()
    from public, anon, authenticated, service_role, authenticator;
