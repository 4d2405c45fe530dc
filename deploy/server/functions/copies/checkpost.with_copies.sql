-- A passage and its copies on further roads of its post, by their ids; the passage comes last.
-- Called by change_passage, is_photo_old and join_text.
create or replace function checkpost.with_copies(passage uuid) returns uuid[]
    language sql stable security definer set search_path = '' as $$
    select array(select c.id from public.vehicle_passages c where c.copy_of = passage) || passage
$$;

revoke all on function checkpost.with_copies(uuid)
    from public, anon, authenticated, service_role, authenticator;
