-- Excuses the partner of a matched passage that was deleted. The trigger's name sorts after the reference's own, which has opened the
-- partner by then.
-- Called by the trigger z_partner of vehicle_passages.
create or replace function checkpost.on_passage_delete() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform checkpost.excuse_partner(old.matched_passage_id, 'the passage that it was matched with was deleted');
    return null;
end
$$;

revoke all on function checkpost.on_passage_delete()
    from public, anon, authenticated, service_role, authenticator;
