-- When the last backup was made; null where none was.
-- Called by the gateway.
create or replace function checkpost.last_backup() returns timestamptz
    language sql stable security definer set search_path = '' as $$
    select max(b.made_at) from checkpost.backups b
$$;

revoke all on function checkpost.last_backup()
    from public, anon, authenticated, service_role, authenticator;
grant execute on function checkpost.last_backup() to service_role;
