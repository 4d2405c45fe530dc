-- When the database was kept in a second place, as `checkpost-server backup make` notes it once a backup is whole.
create table checkpost.backups (
    made_at timestamptz primary key,
    passages bigint not null,
    photos bigint not null
);
revoke all on checkpost.backups from public, anon, authenticated, service_role;

create function checkpost.last_backup() returns timestamptz
    language sql stable security definer set search_path = '' as 'select null::timestamptz';
revoke all on function checkpost.last_backup() from public, anon, authenticated, service_role;
grant execute on function checkpost.last_backup() to service_role;
