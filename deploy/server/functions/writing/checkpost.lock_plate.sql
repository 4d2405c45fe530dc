-- Locks a plate on a segment. Held from before the search for a partner to the commit: of two passages that arrive together the second one
-- sees the first.
-- Called by match_around and match_passage.
create or replace function checkpost.lock_plate(segment uuid, plate text) returns void
    language plpgsql volatile security definer set search_path = '' as $$
begin
    perform checkpost.lock_name(7217, segment::text || ' ' || checkpost.compact_plate(plate));
end
$$;

revoke all on function checkpost.lock_plate(uuid, text)
    from public, anon, authenticated, service_role, authenticator;
