-- A passage counts on every road of its post.
-- Called by the trigger n_copied of vehicle_passages.
create or replace function checkpost.on_passage_copied() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    originals uuid[] := array(select i.id from inserted i
        where i.copy_of is null and i.checkpost_id in (select c.stands_at from public.checkposts c where c.stands_at is not null));
begin
    if cardinality(originals) > 0 then perform checkpost.copy_passages(originals); end if;
    return null;
end
$$;

revoke all on function checkpost.on_passage_copied()
    from public, anon, authenticated, service_role, authenticator;
