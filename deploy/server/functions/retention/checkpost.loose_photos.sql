-- Contents of photos whose rows went, at most so many. Their files go where no other row has them.
-- Called by the gateway's timer and the command `retention`.
create or replace function checkpost.loose_photos(most integer) returns setof text
    language sql stable security definer set search_path = ''
as $$
    select l.hash from checkpost.loose_photos l order by l.hash limit most;
$$;

revoke all on function checkpost.loose_photos(integer)
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.loose_photos(integer) to service_role;
